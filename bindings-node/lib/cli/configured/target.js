// Which agent-tools.json a command writes into.

import { existsSync } from "node:fs";
import path from "node:path";
import { CONFIG_FILE, ownConfigFile, upwards } from "../places.js";
import { shellWord } from "../shell-word.js";
import { UsageError } from "../usage-error.js";

/**
 * @typedef {"user" | "project"} Scope
 *
 * @typedef {object} Target
 * @property {string} file
 * @property {Scope | undefined} scope undefined for the file that --config or AGENT_TOOLS_CONFIG names
 *
 * @typedef {{config?: string, scope?: string}} Named
 */

/**
 * The file that is meant: the user's, unless another is named.
 *
 * @param {Named} options
 * @returns {Target}
 */
export function targetOf(options) {
	const scope = scopeOf(options);
	const named = scope ? undefined : namedFile(options);
	return named ? { file: named, scope: undefined } : ofScope(scope ?? "user");
}

/**
 * The files to look in, the more important first.
 *
 * @param {Named} options
 * @returns {Target[]}
 */
export function targetsOf(options) {
	const scope = scopeOf(options);
	if (scope || namedFile(options)) return [targetOf(options)];
	return [ofScope("project"), ofScope("user")].filter(({ file }) => existsSync(file));
}

/**
 * Whether the runtime reads the file where nothing is named to it.
 *
 * @param {Target} target
 */
export function isRead({ scope }) {
	return scope === undefined || !process.env.AGENT_TOOLS_CONFIG;
}

/** @param {Target} target how a command is told of it */
export function flagOf({ file, scope }) {
	if (scope === "project") return " --scope project";
	return scope === undefined && !process.env.AGENT_TOOLS_CONFIG ? ` --config ${shellWord(file)}` : "";
}

/** @param {Named} options @returns {Scope | undefined} */
function scopeOf({ config, scope }) {
	if (scope === undefined) return undefined;
	if (scope !== "user" && scope !== "project") {
		throw new UsageError(`there is no scope \`${scope}\``, "Pass --scope user or --scope project.");
	}
	if (config !== undefined) throw new UsageError("--config and --scope exclude each other", "Leave out one of them.");
	return scope;
}

/** @param {Named} options */
function namedFile({ config }) {
	const named = config ?? process.env.AGENT_TOOLS_CONFIG;
	return named ? path.resolve(named) : undefined;
}

/**
 * A project's is the one that counts there: that of the nearest folder upwards.
 *
 * @param {Scope} scope
 * @returns {Target}
 */
function ofScope(scope) {
	const own = ownConfigFile();
	if (scope === "user") return { file: own, scope };
	const found = upwards(CONFIG_FILE);
	return { file: found && found !== own ? found : path.resolve(CONFIG_FILE), scope };
}
