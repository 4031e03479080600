import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CLI, fixturePlugin } from "../e2e/harness/paths.js";
import { PluginFolder } from "../e2e/life/plugin-folder.js";
import { percentile, sampleInTurns } from "./samples.js";

const SIZE = { rounds: 5, each: 6 };
const LIST = fileURLToPath(new URL("open-and-list.js", import.meta.url));

/**
 * From nothing to an answer, each time in a new process.
 *
 * @returns {Promise<import("./table.js").Row[]>}
 */
export async function coldStarts() {
	const env = { ...process.env, AGENT_TOOLS_PLUGINS_DIR: fixturePlugin("notes") };
	const run = (/** @type {NodeJS.ProcessEnv} */ env, /** @type {string[]} */ ...args) =>
		execFileSync(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
	const node = (/** @type {string[]} */ ...args) => run(env, ...args);
	const hundred = hundredServers();
	// Starts them all once, so that what they offer is kept.
	run(hundred, CLI, "list");
	const times = await sampleInTurns(
		{
			"start, node -e 0": () => node("-e", "0"),
			"start, agent-tools-runtime --version": () => node(CLI, "--version"),
			"start, open and list the tools": () => node(LIST),
			"start, open and list 100 servers, facade": () => run(hundred, LIST),
			"start, open and list 100 servers, flat, from the cache": () => run(hundred, LIST, "flat"),
		},
		SIZE,
	);
	const base = percentile(times["start, node -e 0"], 50);
	return Object.entries(times).map(([name, ascending]) => {
		const more = (percentile(ascending, 50) - base) / 1000;
		return {
			name,
			value: `${(percentile(ascending, 50) / 1000).toFixed(0)} ms`,
			...(name === "start, node -e 0" ? {} : { compared: `+ ${more.toFixed(0)} ms` }),
			...(name.includes("100") || name === "start, node -e 0" ? {} : { aim: "≤ + 30 ms" }),
		};
	});
}

function hundredServers() {
	const plugins = new PluginFolder();
	for (let n = 0; n < 100; n++) plugins.add(`s${n}`);
	return plugins.env;
}
