import { paint } from "./colour.js";
import { columns } from "./columns.js";
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

/** What a state is drawn in, where a person looks. */
const STYLES = /** @type {const} */ ({
	idle: "gray",
	starting: "yellow",
	ready: "green",
	failed: "red",
	"needs set-up": "yellow",
});

/** @param {PluginStatus[]} plugins */
export function table(plugins) {
	const rows = plugins.map(({ prefix, state, tools, skills, name, reason }) => [
		prefix,
		paint(STYLES[state] ?? "white", state),
		String(tools ?? "-"),
		String(skills ?? "-"),
		reason ? `${name}: ${reason}` : name,
	]);
	return `${columns([["PREFIX", "STATE", "TOOLS", "SKILLS", "PLUGIN"], ...rows], { indent: 0 })}\n`;
}
