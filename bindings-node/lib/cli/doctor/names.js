import { calledAs } from "../called-as.js";
import { readJson } from "../json-file.js";
import { configFiles } from "../places.js";
import { suggest } from "../suggest.js";
import { checksOf } from "./check.js";
import { globPattern, isName } from "./glob.js";

const { ok, warning } = checksOf("Names");

const RELATED = /as related, which does not exist/;

/**
 * @typedef {import("../../runtime.js").Runtime} Runtime
 * @typedef {import("../../../index.d.ts").PluginStatus} PluginStatus
 * @typedef {import("./check.js").Check} Check
 *
 * @typedef {{file: string, key: string, glob: string}} Named where tools are called by name
 */

/**
 * Names of tools and skills that nothing has: in the policy, in pins, and in links between skills.
 *
 * @param {object} of
 * @param {Runtime} of.runtime
 * @param {PluginStatus[]} of.plugins
 * @param {string[]} of.warnings
 * @param {string} [of.config]
 * @param {string} [of.only] a plugin's prefix
 * @returns {Promise<Check[]>}
 */
export async function nameChecks({ runtime, plugins, warnings, config, only }) {
	const named = configFiles(config).flatMap(namesIn);
	const concerned = named.filter(({ glob }) => !only || globPattern(prefixOf(glob))?.test(only));
	const checks = await Promise.all(concerned.map((name) => nameCheck(name, runtime, plugins)));
	const broken = warnings.filter((text) => RELATED.test(text) && (!only || text.includes(` ${only}:`)));
	const all = [
		...checks.flat(),
		...broken.map((text) => warning("names.related", text, "correct `related` in that skill's file")),
	];
	return all.length > 0
		? all
		: [ok("names.known", `every tool that is named is there (${concerned.length} looked at)`)];
}

/**
 * @param {string} file
 * @returns {Named[]}
 */
function namesIn(file) {
	const { value } = readJson(file);
	const { tools, readonlyTools, destructiveTools } = Object(value?.policy);
	const lists = { "policy.tools": Object.keys(Object(tools)), "policy.readonlyTools": readonlyTools };
	const all = { ...lists, "policy.destructiveTools": destructiveTools, pin: value?.pin };
	return Object.entries(all).flatMap(([key, globs]) =>
		[globs ?? []]
			.flat()
			.flatMap((glob) => (typeof glob === "string" && glob.includes("/") ? [{ file, key, glob }] : [])),
	);
}

/**
 * @param {Named} named
 * @param {Runtime} runtime
 * @param {PluginStatus[]} plugins
 * @returns {Promise<Check[]>}
 */
async function nameCheck({ file, key, glob }, runtime, plugins) {
	const id = key === "pin" ? "names.pin" : "names.policy";
	const where = `${file}: ${key}: \`${glob}\``;
	const owners = plugins.filter(({ prefix }) => globPattern(prefixOf(glob))?.test(prefix));
	if (owners.length === 0) {
		const near = suggest(
			prefixOf(glob),
			plugins.map(({ prefix }) => prefix),
		);
		return [
			warning(id, `${where}: there is no plugin \`${prefixOf(glob)}\``, correction(file, near, `${calledAs()} list`)),
		];
	}
	// What a plugin offers that does not work, nobody knows.
	if (owners.some(({ state }) => state !== "ready")) return [];
	const offered = (await Promise.all(owners.map((plugin) => offeredBy(plugin, runtime)))).flat();
	if (offered.some((name) => globPattern(glob)?.test(name))) return [];
	const [owner] = owners;
	if (owner && isName(glob) && (await isKnown(owner.prefix, glob.slice(glob.indexOf("/") + 1), runtime))) return [];
	const near = suggest(glob, offered);
	return [
		warning(
			id,
			`${where}: no tool or skill is called so`,
			correction(file, near, `${calledAs()} discover --plugin ${owner?.prefix} WORDS`),
		),
	];
}

/**
 * @param {string} file
 * @param {string | undefined} near
 * @param {string} command that shows the right names
 */
function correction(file, near, command) {
	return near ? `write \`${near}\` in ${file}` : `${command} shows the names; correct it in ${file}`;
}

/**
 * @param {PluginStatus} plugin
 * @param {Runtime} runtime
 */
async function offeredBy({ prefix, heldBack = [] }, runtime) {
	const tools = await runtime.tools({ kind: "flat", plugin: prefix });
	const names = tools.flatMap(({ name }) => [name, name.replace(/^skill_/, "")]);
	return [...names, ...heldBack].map((name) => `${prefix}/${name}`);
}

/**
 * The flat list may spell a name otherwise.
 *
 * @param {string} prefix
 * @param {string} name
 * @param {Runtime} runtime
 */
function isKnown(prefix, name, runtime) {
	return runtime.explainPolicy(prefix, name).then(
		() => true,
		({ code }) => code !== "UNKNOWN_TOOL",
	);
}

/** @param {string} glob */
function prefixOf(glob) {
	return glob.slice(0, glob.indexOf("/"));
}
