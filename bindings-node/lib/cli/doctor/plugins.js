import { setTimeout as sleep } from "node:timers/promises";
import { calledAs } from "../called-as.js";
import { readJson } from "../json-file.js";
import { configFiles } from "../places.js";
import { checksOf } from "./check.js";
import { fixOf } from "./fixes.js";

const { ok, warning, error } = checksOf("Plugins");

/** For each plugin. A first start that downloads packages may take longer; a dead server takes for ever. */
const START_MS = 20_000;

/**
 * @typedef {import("../../runtime.js").Runtime} Runtime
 * @typedef {import("../../../index.d.ts").PluginStatus} PluginStatus
 * @typedef {import("./check.js").Check} Check
 *
 * @typedef {object} Tried a plugin after it was started
 * @property {PluginStatus} plugin
 * @property {boolean} late whether it had not started in time
 */

/**
 * Starts the plugins, all at once, and waits for each no longer than it may take.
 *
 * @param {Runtime} runtime
 * @param {string[]} prefixes
 * @param {(waiting: string[]) => void} tell for which it still waits
 * @returns {Promise<Tried[]>}
 */
export async function tryPlugins(runtime, prefixes, tell) {
	const waiting = new Set(prefixes);
	/** @type {Set<string>} */
	const late = new Set();
	const deadline = new AbortController();
	const passed = sleep(START_MS, true, { signal: deadline.signal }).catch(() => false);
	tell([...waiting]);
	await Promise.all(
		prefixes.map(async (prefix) => {
			// Why it failed stands in its status.
			const started = runtime.trust(prefix).then(
				() => false,
				() => false,
			);
			if (await Promise.race([started, passed])) late.add(prefix);
			waiting.delete(prefix);
			tell([...waiting]);
		}),
	);
	deadline.abort();
	const { plugins } = await runtime.status();
	return plugins
		.filter(({ prefix }) => prefixes.includes(prefix))
		.map((plugin) => ({ plugin, late: late.has(plugin.prefix) }));
}

/**
 * @param {Tried[]} tried
 * @param {string} [config]
 */
export function pluginChecks(tried, config) {
	if (tried.length === 0) {
		return [
			warning(
				"plugins.none",
				"there are no plugins",
				"npm install agent-tools-plugin-…, or name their folder: --plugins-dir DIR",
			),
		];
	}
	return tried.flatMap((one) => checksOfPlugin(one, config));
}

/**
 * Where the plugin is configured: of several files the one that names it.
 *
 * @param {Tried["plugin"]} plugin
 * @param {string} [config]
 */
function fileOf({ name }, config) {
	const files = configFiles(config);
	const names = (/** @type {string} */ file) => {
		const { value } = readJson(file);
		return [value?.mcpServers, value?.openapi, value?.cli].some((entries) => Object.hasOwn(Object(entries), name));
	};
	return files.find(names) ?? files[0];
}

/**
 * @param {Tried} tried
 * @param {string} [config]
 * @returns {Check[]}
 */
function checksOfPlugin({ plugin, late }, config) {
	const { prefix, state, reason = "", tools = 0, skills = 0, heldBack = [], brokenSkills = [] } = plugin;
	const file = fileOf(plugin, config);
	const checks = [];
	if (late) {
		const message = `${prefix} has not started within ${START_MS / 1000} s`;
		checks.push(error("plugins.start", message, `AGENT_TOOLS_LOG=debug ${calledAs()} doctor --plugin ${prefix}`));
	} else if (state === "needs set-up") {
		checks.push(warning("plugins.set-up", `${prefix} needs set-up: ${reason}`, fixOf(reason, prefix, file)));
	} else if (state === "failed" && plugin.auth !== "needed") {
		checks.push(error("plugins.start", `${prefix} failed: ${why(reason)}`, fixOf(reason, prefix, file)));
	} else if (state !== "failed" && reason) {
		checks.push(warning("plugins.incomplete", `${prefix}: ${reason}`, fixOf(reason, prefix, file)));
	}
	if (heldBack.length > 0) {
		const message = `${prefix} has tools that are held back, as their definition changed: ${heldBack.join(", ")}`;
		checks.push(warning("plugins.held-back", message, `${calledAs()} trust ${prefix}`));
	}
	for (const broken of brokenSkills) {
		checks.push(error("plugins.skill", `${prefix}: ${broken}`, `${calledAs()} validate '${plugin.dir}'`));
	}
	if (checks.length > 0 || state === "failed") return checks;
	return [ok("plugins.start", `${prefix} is ${state}: ${count(tools, "tool")}, ${count(skills, "skill")}`)];
}

/**
 * What the runtime says of plugins beside their states.
 *
 * @param {string[]} warnings
 * @param {Check[]} known what is told already
 */
export function warningChecks(warnings, known) {
	/** @param {string} text */
	const isKnown = (text) => known.some(({ message }) => message.includes(text.replace(/\.$/, "")));
	return warnings.filter((text) => !(isKnown(text) || TOLD.test(text))).map(warningCheck);
}

/** Held back tools have their plugin's line, and links have one among the names. */
const TOLD = /held back|as related, which does not exist/;

/** @param {string} text */
function warningCheck(text) {
	const own = /\{"policy":\{[^`]*\}\}|"projects": \{/.test(text);
	if (/^a plugin was left out: /.test(text)) {
		return error("plugins.left-out", text, own ? undefined : `correct it, then: ${calledAs()} list`);
	}
	return warning("plugins.warning", text, /agent-tools trust/.test(text) ? `${calledAs()} trust` : undefined);
}

/** Without what the line says already, and without the whole PATH. @param {string} reason */
function why(reason) {
	return reason.replace(/^the plugin \S+ is not available: /, "").replace(/; looked in PATH=\S*/, " on PATH");
}

/**
 * @param {number} number
 * @param {string} what
 */
function count(number, what) {
	return `${number} ${what}${number === 1 ? "" : "s"}`;
}
