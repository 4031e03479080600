// The page about clients names the versions that these tests run.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CLIENTS_MANIFEST } from "../harness/client-programs.js";
import { HERMES } from "../harness/hermes-program.js";
import { ROOT } from "../harness/paths.js";
import { PYTHON_SERVERS } from "../harness/python-servers.js";

const page = readFileSync(path.join(ROOT, "docs/clients.md"), "utf8");
const npm = { ...pinned(CLIENTS_MANIFEST), ...pinned(path.join(ROOT, "e2e/package.json")) };

for (const [row, version] of [
	["[Claude Code](#claude-code)", npm["@anthropic-ai/claude-code"]],
	["[Codex](#codex)", npm["@openai/codex"]],
	["[Pi](#pi), its own MCP client", npm["@earendil-works/pi-coding-agent"]],
	["[Pi](#pi) with pi-mcp-adapter", npm["pi-mcp-adapter"]],
	["[Hermes](#hermes)", fromPyPi(HERMES.requirements, "hermes-agent")],
	["[mcporter](#mcporter)", npm.mcporter],
	["TypeScript SDK, version 2", npm["@modelcontextprotocol/client"]],
	["TypeScript SDK, version 1", npm["@modelcontextprotocol/sdk"]],
	["Python SDK", fromPyPi(PYTHON_SERVERS.requirements, "mcp")],
	["MCP inspector (`npm test -- parity`)", npm["@modelcontextprotocol/inspector"]],
	["eve (`npm test -- eve`)", npm.eve],
]) {
	test(`docs/clients.md names the version of ${row}`, () => {
		assert.match(String(version), /^\d+\.\d+\.\d+$/);
		assert.ok(page.includes(`\n| ${row} | ${version} |`), `no row "| ${row} | ${version} |"`);
	});
}

/**
 * @param {string} file
 * @returns {Record<string, string>}
 */
function pinned(file) {
	return JSON.parse(readFileSync(file, "utf8")).dependencies;
}

/**
 * @param {string} file
 * @param {string} name
 */
function fromPyPi(file, name) {
	return new RegExp(`^${name}(?:\\[[^\\]]*\\])?==(\\S+)`, "m").exec(readFileSync(file, "utf8"))?.[1];
}
