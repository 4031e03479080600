import { inColour } from "./colour.js";
import { measure } from "./cost/measure.js";
import { costText } from "./cost/text.js";
import { ENCODING, loadTokenizer } from "./cost/tokenizer.js";
import { noPlugins } from "./http.js";
import { checkKnown } from "./known-plugin.js";
import { print, printWarnings, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";

/** @param {import("./command-line.js").CommandOptions} options */
export async function run(options) {
	const { json, plugin } = options;
	// Before any plugin is started: without it there is nothing to do.
	const count = await loadTokenizer();
	await runRuntime(options, async (runtime) => {
		const before = await runtime.status();
		if (plugin !== undefined) checkKnown(plugin, before.plugins);
		const costs = await measure(runtime, count, { plugin });
		const { plugins, warnings } = await runtime.status();
		const failed = plugins.filter(({ prefix, reason }) => reason && (plugin === undefined || plugin === prefix));
		const problems = [...warnings, ...failed.map(({ prefix, reason }) => `${prefix}: ${reason}`)];
		if (json) {
			await print(`${JSON.stringify({ tokenizer: ENCODING, ...costs, warnings: problems }, null, 2)}\n`);
			return;
		}
		printWarnings(problems);
		if (plugins.length === 0) say(noPlugins);
		else await print(costText(costs, { rich: inColour(process.stdout) }));
	});
}
