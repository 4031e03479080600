// Writes the pages of the documentation that are made from something else.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { reference } from "./docs/schema-reference.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

export const PAGES = [
	{
		file: "docs/configuration-reference.md",
		schema: "bindings-node/schemas/agent-tools.schema.json",
		first: "The file",
		head: "# Reference of `agent-tools.json`\n\nEvery key, made from the schema by `npm run docs`; an editor that knows JSON schemas shows the same. What it is for: [configuration.md](configuration.md).\n\n",
	},
	{
		file: "docs/plugin-reference.md",
		schema: "bindings-node/schemas/plugin.schema.json",
		first: "The manifest",
		head: "# Reference of `plugin.json`\n\nEvery key, made from the schema by `npm run docs`. How to write a plugin: [write-a-plugin.md](write-a-plugin.md).\n\n",
	},
];

/** @param {{schema: string, first: string, head: string}} page */
export function pageText({ schema, first, head }) {
	return head + reference(JSON.parse(readFileSync(path.join(ROOT, schema), "utf8")), first);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	for (const page of PAGES) {
		const file = path.join(ROOT, page.file);
		writeFileSync(file, pageText(page));
		console.log(`wrote ${page.file}`);
	}
}
