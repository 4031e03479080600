// A fake MCP server over stdio that does what a scenario says:
//
//   node fake-server.mjs <scenario.json> <received.jsonl>
//
// The scenario is `{tools?, results?, steps?, acrossStarts?}`: `results` are answered to tools/call in order, the last one
// for good; `steps` are as in cases.jsonl. Everything the server receives is appended to the other file, a message per
// line. With `acrossStarts` a server that is started again goes on counting where the one before it ended, and each start
// is written down as a message `start`.

import { appendFileSync, readFileSync } from "node:fs";
import { eachLine } from "../harness/lines.js";
import { perform } from "./fake-actions.mjs";
import { listOf } from "./fake-tools.mjs";

const [scenarioFile, receivedFile] = process.argv.slice(2);
const { tools = [], results = [], steps = [], acrossStarts } = JSON.parse(readFileSync(scenarioFile, "utf8"));

/** What actions may change. */
const server = { tools: listOf(tools), lineEnd: "\n" };

/** How often each method has been received. */
const counts = new Map();
if (acrossStarts) {
	for (const line of readFileSync(receivedFile, "utf8").split("\n").filter(Boolean)) count(JSON.parse(line).method);
	appendFileSync(receivedFile, `${JSON.stringify({ method: "start" })}\n`);
}

await run("start", { server, write, writeLine }, count("start"));
eachLine(process.stdin, receive);

async function receive(line) {
	appendFileSync(receivedFile, `${line}\n`);
	const message = JSON.parse(line);
	if (message.method === undefined) return;
	const nth = count(message.method);
	const step = steps.find(
		({ at, nth: wanted }) => [message.method, "*"].includes(at) && [undefined, nth].includes(wanted),
	);
	const context = { message, server, write, writeLine };
	if (step) await perform(step.do, context);
	else if (message.id !== undefined) write({ jsonrpc: "2.0", id: message.id, ...byDefault(message, nth) });
	if (message.method === "notifications/initialized") await run("after_init", context);
	if (message.method === "tools/list" && nth === 1) await run("after_first_list", context);
}

/** The steps of a moment that is no message. */
async function run(moment, context, nth = 1) {
	const now = steps.filter(({ at, nth: wanted }) => at === moment && [undefined, nth].includes(wanted));
	for (const step of now) await perform(step.do, context);
}

function count(method) {
	const nth = (counts.get(method) ?? 0) + 1;
	counts.set(method, nth);
	return nth;
}

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
			return { result: { tools: server.tools } };
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
	process.stdout.write(`${text}${server.lineEnd}`);
}
