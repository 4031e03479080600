// An MCP server over stdio that shows whatever it was given, everywhere: node echo-server.mjs [arguments]
//
// It shows its environment and its arguments in the description and the schema of a tool, in results (as text, as JSON, in
// base64, percent-encoded), in errors, in progress messages, in its log messages and on stderr. The tool `crash` ends it.

import { eachLine } from "../harness/lines.js";
import { shown, toolsShowing, written } from "./shown.js";

const given = [...Object.entries(process.env).map(([name, value]) => `${name}=${value}`), ...process.argv.slice(2)];

console.error(`started with ${given.join(" ")}`);
eachLine(process.stdin, (line) => {
	const { id, method, params } = JSON.parse(line);
	console.error(`${method} ${given.join(" ")}`);
	if (id !== undefined) answer(id, method, params);
});

function answer(id, method, params) {
	if (method === "initialize") {
		const { protocolVersion } = params;
		const serverInfo = { name: "echo", version: "1" };
		return reply(id, {
			protocolVersion,
			capabilities: { tools: {}, logging: {} },
			serverInfo,
			instructions: given.join(" "),
		});
	}
	if (method === "tools/list") return reply(id, { tools: toolsShowing(given) });
	if (method !== "tools/call") return fail(id, `no ${method}: ${given.join(" ")}`);
	const token = params._meta?.progressToken;
	if (token !== undefined) {
		write({
			method: "notifications/progress",
			params: { progressToken: token, progress: 1, message: given.join(" ") },
		});
	}
	write({ method: "notifications/message", params: { level: "error", data: given } });
	if (params.name === "refuse") return fail(id, `refused: ${written(given).join(" ")}`);
	if (params.name === "crash") {
		console.error(`Error: crashed with ${given.join(" ")}`);
		return setTimeout(() => process.exit(7), 50);
	}
	reply(id, shown(given, params.name === "error"));
}

function reply(id, result) {
	write({ id, result });
}

function fail(id, message) {
	write({ id, error: { code: -32000, message, data: given } });
}

function write(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
