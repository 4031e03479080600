import { noPlugins } from "./http.js";
import { print, printWarnings, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";

/** @typedef {import("../../index.d.ts").PluginStatus} PluginStatus */

/** @param {import("./command-line.js").CommandOptions} options */
export async function run(options) {
	await runRuntime(options, async (runtime) => {
		await runtime.loadAll();
		// What is wrong with pins is known once a list that shows them is made.
		await runtime.tools({ kind: "unified" });
		const { plugins, warnings } = await runtime.status();
		if (options.json) {
			await print(`${JSON.stringify({ plugins, warnings }, null, 2)}\n`);
			return;
		}
		printWarnings(warnings);
		if (plugins.length === 0) say(noPlugins);
		else await print(table(plugins));
	});
}

/** @param {PluginStatus[]} plugins */
export function table(plugins) {
	const rows = [
		["PREFIX", "STATE", "TOOLS", "SKILLS", "PLUGIN"],
		...plugins.map(({ prefix, state, tools, skills, name, reason }) => [
			prefix,
			state,
			String(tools ?? "-"),
			String(skills ?? "-"),
			reason ? `${name}: ${reason}` : name,
		]),
	];
	const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	return rows.map((row) => `${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}\n`).join("");
}
