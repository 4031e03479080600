// An MCP server over stdio that lists in pages what a file holds at the moment.
//
//   node paged-server.mjs FILE
//
// FILE holds {tools, prompts, resources}, each a list of pages. A page that is "fails" is answered with an error, and one
// that is "again" leads back to the page before it.

import { readFileSync } from "node:fs";
import { eachLine } from "../harness/lines.js";

const [FILE] = process.argv.slice(2);

eachLine(process.stdin, (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer(method, params ?? {}) })}\n`);
});

function answer(method, params) {
	const [what, verb] = method.split("/");
	if (method === "initialize") {
		const serverInfo = { name: "paged", version: "0.0.0" };
		const capabilities = { tools: {}, prompts: {}, resources: {} };
		return { result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } };
	}
	if (method === "resources/templates/list") return { result: { resourceTemplates: [] } };
	if (verb === "list") return page(what, Number(params.cursor ?? 0));
	if (method === "tools/call") return { result: { content: [{ type: "text", text: `called ${params.name}` }] } };
	if (method === "prompts/get") return { result: { messages: [] } };
	return method === "ping" ? { result: {} } : { error: { code: -32601, message: `Unknown method ${method}` } };
}

function page(what, number) {
	const pages = JSON.parse(readFileSync(FILE, "utf8"))[what] ?? [];
	const items = pages[number] ?? [];
	if (items === "fails") return { error: { code: -32603, message: "this page cannot be had" } };
	if (items === "again") return { result: { [what]: [], nextCursor: String(number) } };
	return { result: { [what]: items, ...(number + 1 < pages.length && { nextCursor: String(number + 1) }) } };
}
