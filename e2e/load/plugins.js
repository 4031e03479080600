import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../processes/places.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Servers and modules that behave, and one of each kind that does not. */
const GOOD_SERVERS = 10;
const GOOD_MODULES = 6;
export const BAD = ["hangs", "floods", "chatters", "crashes"];

/** How many calls there are of the plugins that misbehave. */
const BAD_CALLS = { hangs: 4, floods: 1, chatters: 1, crashes: 6 };
const CALLS = 200;
/** Long enough that everything else is answered before. */
const HANG_MS = 25_000;

const servers = Array.from({ length: GOOD_SERVERS }, (_, n) => `server${n}`);
const modules = Array.from({ length: GOOD_MODULES }, (_, n) => `module${n}`);

/** Twenty plugins in a folder. */
export function makePlugins() {
	const root = temporaryFolder("agent-tools-load");
	const write = (prefix, settings) => {
		const folder = path.join(root, `agent-tools-plugin-${prefix}`);
		mkdirSync(folder);
		writeFileSync(path.join(folder, "plugin.json"), JSON.stringify({ prefix, ...settings }));
		return folder;
	};
	for (const prefix of [...servers, ...BAD]) {
		const role = BAD.includes(prefix) ? prefix : "good";
		const mcp = { command: process.execPath, args: [here("server.mjs"), role] };
		write(prefix, { mcp, timeoutMs: prefix === "hangs" ? HANG_MS : 60_000 });
	}
	for (const prefix of modules) {
		const folder = write(prefix, { adapter: "./adapter.mjs", adapterExport: "Echo", timeoutMs: 60_000 });
		copyFileSync(here("adapter.mjs"), path.join(folder, "adapter.mjs"));
	}
	return root;
}

/**
 * The calls, each with a value of its own.
 *
 * @typedef {{prefix: string, value: string}} LoadCall
 * @returns {LoadCall[]}
 */
export function makeCalls() {
	const bad = BAD.flatMap((prefix) => Array.from({ length: BAD_CALLS[prefix] }, () => prefix));
	const good = [...servers, ...modules];
	const rest = Array.from({ length: CALLS - bad.length }, (_, n) => good[n % good.length]);
	// The ones that misbehave go first, so that everything else is behind them.
	return [...bad, ...rest].map((prefix, n) => ({ prefix, value: `${prefix}-${n}` }));
}
