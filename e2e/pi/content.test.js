import assert from "node:assert/strict";
import { test } from "node:test";
import { piContent } from "../../integrations/pi-extension/src/content.ts";

const cases = [
	{ block: { type: "text", text: "hi", annotations: { priority: 1 } }, expected: { type: "text", text: "hi" } },
	{
		block: { type: "image", data: "AA==", mimeType: "image/png", _meta: {} },
		expected: { type: "image", data: "AA==", mimeType: "image/png" },
	},
	{ block: { type: "audio", data: "AAAA", mimeType: "audio/wav" }, expected: "[audio audio/wav, 3 bytes, not shown]" },
	{
		block: { type: "resource", resource: { uri: "a://b", mimeType: "text/plain", text: "body" } },
		expected: "[resource a://b]\nbody",
	},
	{
		block: { type: "resource", resource: { uri: "a://b", mimeType: "image/gif", blob: "AA==" } },
		expected: { type: "image", data: "AA==", mimeType: "image/gif" },
	},
	{
		block: { type: "resource", resource: { uri: "a://b", blob: "AAAA" } },
		expected: "[resource a://b, application/octet-stream, 3 bytes, not shown]",
	},
	{
		block: { type: "resource_link", uri: "a://b", name: "Report", mimeType: "text/csv" },
		expected: "[link a://b] Report · text/csv",
	},
	{ block: { type: "hologram", depth: 3 }, expected: '{"type":"hologram","depth":3}' },
	{ block: { type: "resource" }, expected: "[resource undefined]" },
];

for (const { block, expected } of cases)
	test(`what Pi gets for ${JSON.stringify(block)}`, () => {
		const content = piContent(/** @type {any} */ (block));
		assert.deepEqual(content, typeof expected === "string" ? { type: "text", text: expected } : expected);
	});
