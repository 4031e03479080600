// An MCP server over stdio whose tools are as a page has to expect them: with fields of every kind, with names and texts that are no
// markup, and with changes. It writes down each call that reaches it.
//
//   node desk-server.mjs LOG

import { appendFileSync } from "node:fs";
import { eachLine } from "../harness/lines.js";
import { MARKUP } from "./markup.js";

const [LOG] = process.argv.slice(2);
const reads = { readOnlyHint: true };

const TOOLS = [
	{
		name: "find_note",
		description: "Finds notes on the desk by their words.",
		inputSchema: {
			type: "object",
			properties: {
				words: { type: "string", description: "what to look for", minLength: 2 },
				most: { type: "integer", minimum: 1, maximum: 50, default: 10, description: "how many at most" },
				order: { enum: ["newest", "oldest"] },
				starred: { type: "boolean" },
				labels: { type: "array", items: { type: "string" } },
				written: { type: "object", properties: { after: { type: "string" }, by: { $ref: "#/$defs/person" } } },
				weights: { type: "object", description: "by label" },
			},
			required: ["words"],
			$defs: { person: { type: "object", properties: { name: { type: "string" } } } },
		},
		annotations: reads,
	},
	{
		name: "pin_note",
		description: "Pins a note to the board.",
		inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
		annotations: { readOnlyHint: false },
	},
	{
		name: "tear_up_notes",
		description: "Tears up every note.",
		inputSchema: { type: "object", properties: {} },
		annotations: { destructiveHint: true },
	},
	{
		name: "draw_frame",
		title: MARKUP,
		description: `Draws a frame. ${MARKUP}`,
		inputSchema: {
			type: "object",
			properties: { [MARKUP]: { type: "string", description: MARKUP, default: MARKUP }, style: { enum: [MARKUP] } },
		},
		annotations: reads,
	},
	{
		name: "wait_for_ink",
		description: "Waits until the ink is dry, which never happens.",
		inputSchema: { type: "object", properties: {} },
		annotations: reads,
	},
	{
		name: "check_postcode",
		description: "Looks up a postcode of two letters.",
		inputSchema: {
			type: "object",
			properties: { place: { type: "object", properties: { code: { type: "string", not: { pattern: "\\d" } } } } },
		},
		annotations: reads,
	},
];

eachLine(process.stdin, (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "notifications/cancelled") write("cancelled");
	if (id === undefined) return;
	const answered = answer(method, params);
	if (answered) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answered })}\n`);
});

/** @param {string} line */
function write(line) {
	appendFileSync(LOG ?? "", `${line}\n`);
}

/**
 * @param {string} method
 * @param {any} params
 */
function answer(method, params) {
	switch (method) {
		case "initialize": {
			const serverInfo = { name: "desk", version: "0.0.0" };
			return { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
		}
		case "ping":
			return { result: {} };
		case "tools/list":
			return { result: { tools: TOOLS } };
		case "tools/call":
			write(`${params.name} ${JSON.stringify(params.arguments ?? {})}`);
			if (params.name === "wait_for_ink") return undefined;
			return { result: { content: [{ type: "text", text: textOf(params) }] } };
		default:
			return { error: { code: -32601, message: `Unknown method ${method}` } };
	}
}

/** @param {{name: string, arguments?: any}} call */
function textOf({ name, arguments: given }) {
	if (name === "draw_frame") return `${MARKUP} a\u200bb`;
	return JSON.stringify({ done: name, given });
}
