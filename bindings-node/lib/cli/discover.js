import { searchText } from "./discover/text.js";
import { knownPrefix } from "./known-plugin.js";
import { print, printWarnings } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { UsageError } from "./usage-error.js";

const LIMIT = 5;
const MOST = 100;

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {...string} words
 */
export async function run(options, ...words) {
	const { plugin, explain = false, json = false } = options;
	const limit = limitOf(options.limit);
	await runRuntime(options, async (runtime) => {
		const { plugins, warnings } = await runtime.status();
		printWarnings(warnings);
		const known = plugin === undefined ? undefined : knownPrefix(plugin, plugins);
		const found = await runtime.search(words.join(" "), { plugin: known, limit, explain });
		printWarnings(found.missing.map((missing) => `${missing.plugin} was not searched: ${missing.why}`));
		await print(json ? `${JSON.stringify(found, null, 2)}\n` : searchText(found));
	});
}

/** @param {string} [text] */
function limitOf(text = String(LIMIT)) {
	const limit = Number(text);
	if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
	throw new UsageError(`the limit must be a whole number from 1 to ${MOST}, not \`${text}\``);
}
