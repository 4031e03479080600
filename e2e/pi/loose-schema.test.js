import assert from "node:assert/strict";
import { test } from "node:test";
import { looseSchema } from "../../integrations/pi-extension/src/loose-schema.ts";

test("Pi demands nothing of a call's shape, and the model is told in words", () => {
	const facade = {
		type: "object",
		properties: {
			toolName: { type: "string", description: "Its name." },
			arguments: { type: "object", description: "Its arguments.", additionalProperties: true },
			confirm: { type: "boolean" },
		},
		required: ["toolName"],
		additionalProperties: false,
	};
	assert.deepEqual(looseSchema(facade), {
		type: "object",
		properties: {
			toolName: { type: "string", description: "Required. Its name." },
			arguments: { description: "An object. Its arguments.", additionalProperties: true },
			confirm: { type: "boolean" },
		},
	});
});

test("a schema without properties stays one", () => {
	assert.deepEqual(looseSchema({ type: "object", properties: {}, additionalProperties: false }), {
		type: "object",
		properties: {},
	});
	assert.deepEqual(looseSchema({ type: "object" }), { type: "object", properties: {} });
});
