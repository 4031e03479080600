// A fake MCP server over stdio that does what a scenario says:
//
//   node fake-server.mjs <scenario.json> <received.jsonl>
//
// The scenario is `{tools?, results?, steps?}`: `results` are answered to tools/call in order, the last one for good; `steps`
// are as in cases.jsonl. Everything the server receives is appended to the other file, a message per line.

import { appendFileSync, readFileSync } from "node:fs";
import { eachLine } from "../harness/lines.js";
import { perform } from "./fake-actions.mjs";

const [scenarioFile, receivedFile] = process.argv.slice(2);
const { tools = [], results = [], steps = [] } = JSON.parse(readFileSync(scenarioFile, "utf8"));

/** How often each method has been received. */
const counts = new Map();

eachLine(process.stdin, async (line) => {
	appendFileSync(receivedFile, `${line}\n`);
	const message = JSON.parse(line);
	if (message.method === undefined) return;
	const nth = (counts.get(message.method) ?? 0) + 1;
	counts.set(message.method, nth);
	const step = steps.find(
		({ at, nth: wanted }) => [message.method, "*"].includes(at) && [undefined, nth].includes(wanted),
	);
	if (step) return perform(step.do, { message, write, writeLine });
	if (message.id !== undefined) write({ jsonrpc: "2.0", id: message.id, ...byDefault(message, nth) });
});

function byDefault({ method, params }, nth) {
	switch (method) {
		case "initialize":
			return {
				result: {
					protocolVersion: params.protocolVersion,
					capabilities: { tools: {} },
					serverInfo: { name: "fake", version: "0.0.0" },
				},
			};
		case "ping":
			return { result: {} };
		case "tools/list":
			return { result: { tools } };
		case "tools/call":
			return { result: results[Math.min(nth, results.length) - 1] ?? { content: [{ type: "text", text: "ok" }] } };
		default:
			return { error: { code: -32601, message: `Unknown method ${method}` } };
	}
}

function write(message) {
	writeLine(JSON.stringify(message));
}

function writeLine(text) {
	process.stdout.write(`${text}\n`);
}
