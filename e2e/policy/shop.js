import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("shop-server.mjs", import.meta.url));

/**
 * A user's configuration with the shop in it, in a folder of its own, and what reached the shop.
 *
 * @param {import("node:test").TestContext} t
 * @param {object} [policy] the key `policy`
 */
export function shop(t, policy) {
	const folder = mkdtempSync(path.join(tmpdir(), "policy-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const log = path.join(folder, "calls.log");
	const config = path.join(folder, "agent-tools.json");
	const server = { command: process.execPath, args: [SERVER, log] };
	writeFileSync(config, JSON.stringify({ mcpServers: { shop: server }, ...(policy && { policy }) }));
	return {
		folder,
		config,
		server,
		env: {
			...process.env,
			AGENT_TOOLS_PLUGINS_DIR: "",
			AGENT_TOOLS_CONFIG: "",
			AGENT_TOOLS_CONFIG_DIR: path.join(folder, "user"),
			AGENT_TOOLS_CACHE_DIR: path.join(folder, "cache"),
			AGENT_TOOLS_DATA_DIR: path.join(folder, "data"),
		},
		/** What reached the shop, a line for each call. */
		calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
	};
}

/**
 * The variables by which a program with an environment of its own has the same configuration.
 *
 * @param {ReturnType<typeof shop>} place
 * @returns {Record<string, string>}
 */
export function settingsOf({ env, config }) {
	const own = Object.entries(env).filter(([name]) => name.startsWith("AGENT_TOOLS_"));
	return { ...Object.fromEntries(own), AGENT_TOOLS_CONFIG: config };
}
