import assert from "node:assert/strict";
import { assertForwarded, assertShows } from "../runners.js";
import { assertRan } from "./arguments.js";

const CALL = "agent_tools_x_call";
const DISCOVER = "agent_tools_x_discover";

/**
 * What the cases about input schemas say in words.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C019: async ({ door, answers }) => {
		assertRan(answers[0]);
		const { text } = await door.call(DISCOVER, { query: "list" });
		for (const dangling of ["$ref", "$defs"]) assert.ok(!text.includes(dangling), text);
		// The original is what arguments are checked with.
		const wrong = await door.call(CALL, { toolName: "list", arguments: { q: { query: 5 } } });
		assert.equal(wrong.code, "ARG_VALIDATION_FAILED", wrong.text);
		assertShows(wrong.failure.details.join("\n"), "/q/query");
	},

	C021: async ({ input, door, answers }) => {
		assertShows(answers[1].failure.details.join("\n"), "/root/kids/0/v");
		const began = Date.now();
		const { text } = await door.call(DISCOVER, {});
		assert.ok(Date.now() - began < 10_000);
		// Deeper than the marker, objects are just called so.
		assertShows(text, "(root?: { v: integer, kids?: object[] })");
		assert.ok(text.length < 4000, text);

		let deep = { kids: [] };
		for (let level = 0; level < 20; level++) deep = { v: level, kids: [deep] };
		const far = await door.call(CALL, { toolName: "t", arguments: { root: deep } });
		assert.equal(far.code, "ARG_VALIDATION_FAILED", far.text);
		assertShows(far.failure.details.join("\n"), `/root${"/kids/0".repeat(20)}/v`);
		assertForwarded(door, input.valid);
	},

	C027: async ({ door }) => {
		const tools = await door.tools();
		assert.ok(tools.length >= 4);
		for (const { name, inputSchema } of tools) assertPlain(inputSchema, name);
		const call = tools.find(({ name }) => name === CALL).inputSchema;
		const { description, ...free } = call.properties.arguments;
		assert.deepEqual(free, { type: "object", properties: {} });
		assert.ok(description === undefined || typeof description === "string");
	},

	C029: async ({ open }) => {
		const property = { type: "string", "x-unknown": { deep: [1] }, format: "no-such-format" };
		const $schema = "https://example.com/no/such/schema";
		const properties = { p: property, q: { type: "string", enum: ["x", "x"] } };
		const odd = { name: "odd", description: "test tool", inputSchema: { $schema, type: "object", properties } };
		const door = await open({ scenario: { tools: [odd] } });
		assertRan(await door.call(CALL, { toolName: "odd", arguments: { p: "anything", q: "x" } }));
		const refused = [{ p: 5 }, { q: "y" }];
		for (const wrong of refused) {
			const answer = await door.call(CALL, { toolName: "odd", arguments: wrong });
			assert.equal(answer.code, "ARG_VALIDATION_FAILED", answer.text);
		}
		assertForwarded(door, [{ p: "anything", q: "x" }]);
	},
};

/** One type each, items on every list, choices only among texts. */
function assertPlain(schema, where) {
	assert.equal(typeof schema.type, "string", where);
	if (schema.type === "array") assert.ok(schema.items, where);
	if (schema.enum) assert.equal(schema.type, "string", where);
	for (const choice of schema.enum ?? []) assert.equal(typeof choice, "string", where);
	for (const [name, property] of Object.entries(schema.properties ?? {})) assertPlain(property, `${where}.${name}`);
	if (schema.items) assertPlain(schema.items, `${where}[]`);
}
