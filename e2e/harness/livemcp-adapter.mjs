// Copied into each plugin that livemcp-plugins.js writes: lists the tools of `tools.json` beside it, and answers every call
// by saying what was called.

import { readFileSync } from "node:fs";

const tools = JSON.parse(readFileSync(new URL("tools.json", import.meta.url), "utf8"));

export default class Recorded {
	listTools() {
		return { tools };
	}

	call(name, args) {
		return { content: [{ type: "text", text: `${name} was called with ${JSON.stringify(args)}` }] };
	}
}
