// An MCP server over stdio with a tool for each thing that a command line has to cope with.
//
//   node desk-server.mjs LOG
//
// What LOG.says holds, if it is there, is the description of `file`.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { eachLine } from "../harness/lines.js";

const [LOG] = process.argv.slice(2);
const SAYS = existsSync(`${LOG}.says`) ? readFileSync(`${LOG}.says`, "utf8") : "Files an item";
const READS = { readOnlyHint: true };
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const ITEM = {
	type: "object",
	properties: {
		title: { type: "string" },
		count: { type: "integer" },
		urgent: { type: "boolean" },
		labels: { type: "array", items: { type: "string" } },
		place: { type: "object", properties: { room: { type: "number" }, "a.b": { type: "string" } } },
		"dotted.name": { type: "string" },
	},
	required: ["title"],
};
const NOTHING = { type: "object", properties: {} };

const TOOLS = [
	{ name: "show", description: "Gives back what it got. It never fails.", inputSchema: ITEM, annotations: READS },
	{ name: "file", description: SAYS, inputSchema: ITEM, annotations: { readOnlyHint: false } },
	{ name: "shred", description: "Destroys every item", inputSchema: NOTHING, annotations: { destructiveHint: true } },
	{ name: "fail", description: "Always fails", inputSchema: NOTHING, annotations: READS },
	{ name: "draw", description: "Draws two pictures", inputSchema: NOTHING, annotations: READS },
	{ name: "print", description: "Prints 30000 lines", inputSchema: NOTHING, annotations: READS },
	{ name: "wait", description: "Waits, and says so", inputSchema: NOTHING, annotations: READS },
	{ name: "steer", description: "Writes to the terminal\u001b[2J", inputSchema: NOTHING, annotations: READS },
	{ name: "desk/odd name", description: "Has an odd name", inputSchema: NOTHING, annotations: READS },
	{
		name: "own",
		description: "Has a confirm of its own",
		inputSchema: { type: "object", properties: { confirm: { type: "boolean", description: "Skip the check" } } },
		annotations: { readOnlyHint: false },
	},
];

const text = (value) => ({ type: "text", text: value });

/** @type {Record<string, (args: object, progressToken: unknown) => object | Promise<object>>} */
const DONE = {
	fail: () => ({ content: [text("the desk is on fire")], isError: true }),
	draw: () => ({
		content: [
			text("two pictures"),
			{ type: "image", data: PIXEL, mimeType: "image/png" },
			{ type: "image", data: PIXEL, mimeType: "image/png" },
		],
	}),
	print: () => ({ content: [text(Array.from({ length: 30_000 }, (_, i) => `line ${i}`).join("\n"))] }),
	steer: () => ({ content: [text("before\u001b[2Jafter")] }),
	wait: async (_args, progressToken) => {
		for (let done = 1; done <= 20; done++) {
			const params = { progressToken, progress: done, total: 20, message: "waiting" };
			if (progressToken !== undefined) send({ method: "notifications/progress", params });
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		return { content: [text("waited")] };
	},
};

eachLine(process.stdin, async (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id !== undefined) send({ id, ...(await answer(method, params)) });
});

function send(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
	switch (method) {
		case "initialize": {
			const serverInfo = { name: "desk", version: "0.0.0" };
			return { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
		}
		case "ping":
			return { result: {} };
		case "tools/list":
			return { result: { tools: TOOLS } };
		case "tools/call": {
			const { name, arguments: args = {}, _meta } = params;
			appendFileSync(LOG, `${name} ${JSON.stringify(args)}\n`);
			const done = DONE[name]?.(args, _meta?.progressToken) ?? { content: [text(JSON.stringify(args))] };
			return { result: await done };
		}
		default:
			return { error: { code: -32601, message: `Unknown method ${method}` } };
	}
}
