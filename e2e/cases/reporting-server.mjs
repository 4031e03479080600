// An MCP server over stdio whose one tool says how it was started: arguments, working folder, environment.

import { createInterface } from "node:readline";

const TOOL = { name: "started", description: "How this server was started", inputSchema: { type: "object" } };

const ANSWERS = {
	initialize: ({ protocolVersion }) => ({
		protocolVersion,
		capabilities: { tools: {} },
		serverInfo: { name: "reporting", version: "0.0.0" },
	}),
	"tools/list": () => ({ tools: [{ ...TOOL, annotations: { readOnlyHint: true } }] }),
	"tools/call": () => {
		const started = { args: process.argv.slice(2), cwd: process.cwd(), env: process.env };
		return { content: [{ type: "text", text: JSON.stringify(started) }] };
	},
	ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) continue;
	const answer = ANSWERS[method];
	const outcome = answer ? { result: answer(params) } : { error: { code: -32601, message: `no ${method}` } };
	console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}
