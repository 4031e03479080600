// Where the runtime keeps things, as runtime/src/folders.rs has it.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { AgentToolsError } from "../agent-tools-error.js";

/** The name of the configuration file, of a user and of a project. */
export const CONFIG_FILE = "agent-tools.json";

/** @typedef {"config" | "data" | "state" | "cache"} Kind */

/** @type {Record<Kind, string[]>} the XDG variable, and what it is without it */
const XDG = {
	config: ["XDG_CONFIG_HOME", ".config"],
	data: ["XDG_DATA_HOME", ".local/share"],
	state: ["XDG_STATE_HOME", ".local/state"],
	cache: ["XDG_CACHE_HOME", ".cache"],
};

/**
 * @param {Kind} kind
 * @returns {string}
 */
export function folder(kind) {
	const { env } = process;
	const named = env[variableOf(kind)];
	if (named) return path.resolve(named);
	if (process.platform === "win32") {
		const base = kind === "cache" ? (env.LOCALAPPDATA ?? "AppData/Local") : (env.APPDATA ?? "AppData/Roaming");
		return path.resolve(homedir(), base, "agent-tools-runtime", "agent-tools", kind === "state" ? "data" : kind);
	}
	const [variable = "", otherwise = ""] = XDG[kind];
	const xdg = env[variable];
	return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(home(kind), otherwise), "agent-tools");
}

/** Without it, everything would lie in whatever folder is the working one. @param {Kind} kind */
function home(kind) {
	const found = homedir();
	if (found) return found;
	throw new AgentToolsError("NO_HOME", "the variable HOME is empty, so nobody knows where your files are", {
		hint: `Set HOME, or name the folder in ${variableOf(kind)}.`,
	});
}

/** @param {Kind} kind */
export function variableOf(kind) {
	return `AGENT_TOOLS_${kind.toUpperCase()}_DIR`;
}

/**
 * The configuration files that count, the more important first.
 *
 * @param {string} [named] by --config
 */
export function configFiles(named = process.env.AGENT_TOOLS_CONFIG || undefined) {
	if (named) return [path.resolve(named)];
	const project = upwards(CONFIG_FILE);
	const own = ownConfigFile();
	return [...new Set([project, existsSync(own) ? own : undefined])].filter((file) => file !== undefined);
}

/** The user's, there or not. */
export function ownConfigFile() {
	return path.join(folder("config"), CONFIG_FILE);
}

/**
 * The file of that name in the working folder or the nearest folder above it.
 *
 * @param {string} name
 * @param {string} [from]
 * @returns {string | undefined}
 */
export function upwards(name, from = process.cwd()) {
	const file = path.join(from, name);
	if (existsSync(file)) return file;
	const parent = path.dirname(from);
	return parent === from ? undefined : upwards(name, parent);
}
