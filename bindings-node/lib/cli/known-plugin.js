import { noPlugins } from "./http.js";
import { printWarnings } from "./report.js";
import { didYouMean, suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * The prefix of the plugin that is meant: as for models, upper and lower case are one where only one plugin has such a prefix.
 *
 * @param {string} given
 * @param {import("../../index.d.ts").PluginStatus[]} plugins
 */
export function knownPrefix(given, plugins) {
	const known = plugins.map((plugin) => plugin.prefix);
	const alike = known.filter((prefix) => prefix.toLowerCase() === given.toLowerCase());
	if (!known.includes(given) && alike.length === 1) return String(alike[0]);
	checkKnown(given, plugins);
	return given;
}

/**
 * The same, for a command that is about this plugin alone: what is wrong elsewhere is told only where it may be why the plugin
 * is not there.
 *
 * @param {string} given
 * @param {{plugins: import("../../index.d.ts").PluginStatus[], warnings: string[]}} status
 */
export function chosenPrefix(given, { plugins, warnings }) {
	const [one] = plugins.filter(({ prefix }) => prefix.toLowerCase() === given.toLowerCase());
	const words = one ? [one.prefix, one.name] : [];
	printWarnings(one ? warnings.filter((warning) => words.some((word) => names(warning, word))) : warnings);
	return knownPrefix(given, plugins);
}

/**
 * @param {string} text
 * @param {string} word
 */
function names(text, word) {
	return text.split(/[^\w-]+/).includes(word);
}

/**
 * A client could not tell a wrong prefix from a plugin that is broken.
 *
 * @param {string} prefix
 * @param {import("../../index.d.ts").PluginStatus[]} plugins
 */
export function checkKnown(prefix, plugins) {
	const known = plugins.map((plugin) => plugin.prefix);
	if (known.includes(prefix)) return;
	const near = suggest(prefix, known);
	const all = known.length > 0 ? `The plugins are: ${known.join(", ")}.` : `There are ${noPlugins}.`;
	throw new UsageError(`there is no plugin \`${prefix}\``, `${didYouMean(near)}${all}`);
}
