// A small MCP server over stdio: `node server.mjs <role>`. The tool `echo` gives its value back; the role says what goes wrong.

import { once } from "node:events";
import { eachLine } from "../harness/lines.js";

const MEGABYTE = 1024 * 1024;
const FLOOD_MB = 100;
const TOOL = {
	name: "echo",
	inputSchema: { type: "object", properties: { value: { type: "string" } }, required: ["value"] },
	annotations: { readOnlyHint: true },
};

/** @type {Record<string, (id: number, value: string) => unknown>} */
const ROLES = {
	good: (id, value) => setTimeout(() => reply(id, text(value)), Math.random() * 30),
	hangs: () => {},
	crashes: () => process.exit(3),
	/** One result of 100 MB, on one line. */
	floods: async (id) => {
		await out(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
		for (let n = 0; n < FLOOD_MB; n++) await out("x".repeat(MEGABYTE));
		await out('"}]}}\n');
	},
	/** 100 MB of what is no message, on both streams, and then the answer. */
	chatters: async (id, value) => {
		const junk = `${"noise ".repeat(170)}\n`.repeat(MEGABYTE / 1024);
		for (let n = 0; n < FLOOD_MB / 2; n++) {
			await out(junk);
			if (!process.stderr.write(junk)) await once(process.stderr, "drain");
		}
		reply(id, text(value));
	},
};

const act = ROLES[process.argv[2]];

eachLine(process.stdin, (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	if (method === "initialize") {
		const { protocolVersion } = params;
		reply(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "load", version: "0.0.0" } });
	} else if (method === "tools/list") reply(id, { tools: [TOOL] });
	else if (method === "tools/call") act(id, params.arguments.value);
	else reply(id, {});
});
process.stdin.on("end", () => process.exit());

/** @param {string} value */
const text = (value) => ({ content: [{ type: "text", text: `echo ${value}` }] });

/** @param {number} id @param {object} result */
function reply(id, result) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}

/** @param {string} chunk */
async function out(chunk) {
	if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
}
