// An MCP server over stdio whose tools say what they do, and which writes down each call that reaches it.
//
//   node shop-server.mjs LOG

import { appendFileSync } from "node:fs";
import { eachLine } from "../harness/lines.js";

const [LOG] = process.argv.slice(2);
const inputSchema = { type: "object", properties: { item: { type: "string" } } };

const TOOLS = [
	{ name: "look", description: "Looks at an item", inputSchema, annotations: { readOnlyHint: true } },
	{ name: "order", description: "Orders an item", inputSchema, annotations: { readOnlyHint: false } },
	{ name: "wipe", description: "Deletes every item", inputSchema, annotations: { destructiveHint: true } },
];

eachLine(process.stdin, (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer(method, params) })}\n`);
});

function answer(method, params) {
	switch (method) {
		case "initialize": {
			const serverInfo = { name: "shop", version: "0.0.0" };
			return { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
		}
		case "ping":
			return { result: {} };
		case "tools/list":
			return { result: { tools: TOOLS } };
		case "tools/call":
			appendFileSync(LOG, `${params.name} ${params.arguments?.item}\n`);
			return { result: { content: [{ type: "text", text: "done" }] } };
		default:
			return { error: { code: -32601, message: `Unknown method ${method}` } };
	}
}
