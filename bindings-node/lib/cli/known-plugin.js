import { noPlugins } from "./http.js";
import { suggest } from "./suggest.js";
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
	throw new UsageError(`there is no plugin \`${prefix}\``, near ? `Did you mean \`${near}\`? ${all}` : all);
}
