import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CLI, fixturePlugin } from "../e2e/harness/paths.js";
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
	const node = (/** @type {string[]} */ ...args) =>
		execFileSync(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
	const times = await sampleInTurns(
		{
			"start, node -e 0": () => node("-e", "0"),
			"start, agent-tools-runtime --version": () => node(CLI, "--version"),
			"start, open and list the tools": () => node(LIST),
		},
		SIZE,
	);
	const base = percentile(times["start, node -e 0"], 50);
	return Object.entries(times).map(([name, ascending]) => {
		const more = (percentile(ascending, 50) - base) / 1000;
		return {
			name,
			value: `${(percentile(ascending, 50) / 1000).toFixed(0)} ms`,
			...(name === "start, node -e 0" ? {} : { compared: `+ ${more.toFixed(0)} ms`, aim: "≤ + 30 ms" }),
		};
	});
}
