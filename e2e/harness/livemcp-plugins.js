// The 70 servers of LiveMCPBench (527 tools, bench/retrieval/livemcp) as plugins: what real servers list, with nothing
// behind it.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./paths.js";

const TOOLS = path.join(ROOT, "bench/retrieval/livemcp/tools.jsonl");
const ADAPTER = fileURLToPath(new URL("livemcp-adapter.mjs", import.meta.url));

/** What somebody who writes programs may well have connected: files, git, a browser, web search, documentation, … */
const USUAL = ["filesystem", "git", "playwright", "duckduckgo-search", "Context7", "memory", "taskmanager", "excel"];

/** The first word of tools that change nothing; the servers say nothing about that. */
const READING = /^(get|list|search|find|read|fetch|show|describe|check|lookup|query|count|resolve)(?![a-z])/;

/**
 * @typedef {{name: string, description: string, inputSchema: object, annotations?: {readOnlyHint: true}}} ListedTool
 *
 * @typedef {object} LivemcpServer
 * @property {string} server as LiveMCPBench calls it
 * @property {string} prefix the plugin's, as the runtime publishes it
 * @property {ListedTool[]} tools
 */

/**
 * The servers, the usual ones first, so that the first 1, 8 and 70 are a user's first server, those of a usual user, and all.
 *
 * @returns {LivemcpServer[]}
 */
export function livemcpServers() {
	/** @type {Map<string, ListedTool[]>} */
	const servers = new Map(USUAL.map((server) => [server, []]));
	for (const line of readFileSync(TOOLS, "utf8").split("\n").filter(Boolean)) {
		const { server, name, description, inputSchema } = JSON.parse(line);
		const tools = servers.get(server) ?? [];
		servers.set(server, tools);
		tools.push({
			name,
			description,
			inputSchema: inputSchema ?? { type: "object" },
			...(READING.test(name) && { annotations: { readOnlyHint: true } }),
		});
	}
	return [...servers].map(([server, tools]) => ({ server, prefix: publishedPrefix(server), tools }));
}

/**
 * Writes the plugins into a folder, which AGENT_TOOLS_PLUGINS_DIR or `pluginDirs` may name.
 *
 * @param {string} folder
 * @param {{servers?: string[] | number}} [which] names, or how many of `livemcpServers()`; without it all 70
 * @returns {string[]} the prefixes, in that order
 */
export function writeLivemcpPlugins(folder, { servers } = {}) {
	const chosen = choose(servers);
	for (const { prefix, tools } of chosen) {
		const home = path.join(folder, `agent-tools-plugin-${prefix}`);
		mkdirSync(home, { recursive: true });
		const manifest = { prefix, adapter: "./adapter.mjs" };
		writeFileSync(
			path.join(home, "plugin.json"),
			JSON.stringify({ name: `agent-tools-plugin-${prefix}`, extensions: { "dev.agent-tools-runtime": manifest } }),
		);
		writeFileSync(path.join(home, "tools.json"), JSON.stringify(tools));
		copyFileSync(ADAPTER, path.join(home, "adapter.mjs"));
	}
	return chosen.map(({ prefix }) => prefix);
}

/** @param {string[] | number} [servers] */
function choose(servers) {
	const all = livemcpServers();
	if (!Array.isArray(servers)) return all.slice(0, servers);
	return servers.map((name) => {
		const found = all.find(({ server }) => server === name);
		if (!found) throw new Error(`LiveMCPBench has no server ${name}`);
		return found;
	});
}

/**
 * As the runtime publishes a prefix that it is given.
 *
 * @param {string} declared
 */
export function publishedPrefix(declared) {
	const clean = declared.replaceAll(/[^A-Za-z0-9_-]/g, "_").replace(/^[_-]+/, "");
	if (clean === declared && clean.length <= 42) return clean;
	const sum = createHash("sha256").update(declared).digest("hex").slice(0, 8);
	return `${clean.slice(0, 42 - 9).replace(/[_-]+$/, "")}_${sum}`;
}
