import { AgentToolsError } from "../agent-tools-error.js";
import { native } from "../native.js";
import { addonChecks } from "./doctor/addon.js";
import { checksOf, looked } from "./doctor/check.js";
import { childChecks } from "./doctor/children.js";
import { clientVersionChecks } from "./doctor/client-versions.js";
import { clientChecks } from "./doctor/clients.js";
import { configurationChecks } from "./doctor/configuration.js";
import { loginChecks, secretChecks } from "./doctor/credentials.js";
import { folderChecks } from "./doctor/folders.js";
import { lockChecks } from "./doctor/locks.js";
import { nameChecks } from "./doctor/names.js";
import { nodeChecks } from "./doctor/node-version.js";
import { pluginChecks, tryPlugins, warningChecks } from "./doctor/plugins.js";
import { portChecks } from "./doctor/port.js";
import { reportText } from "./doctor/text.js";
import { knownPrefix } from "./known-plugin.js";
import { print } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { Spinner } from "./spinner.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("./doctor/check.js").Check} Check
 * @typedef {import("./command-line.js").CommandOptions} Options
 */

const { warning, error } = checksOf("Plugins");

/** @param {Options} options */
export async function run(options) {
	const spinner = new Spinner();
	spinner.show("Looking at this machine");
	try {
		const node = await looked("Node", nodeChecks);
		const addon = await looked("Native part", addonChecks);
		const hasAddon = addon.every(({ id, level }) => level === "ok" || id !== "addon.loads");
		const configuration = await looked("Configuration", () => configurationChecks({ ...options, hasAddon }));
		const before = [...node, ...addon, ...configuration];
		const after = await surroundings(options);
		if (!hasAddon) {
			const skipped = warning(
				"plugins.skipped",
				"plugins, secrets and names are not looked at without the native part",
			);
			return await finish(options, [...before, skipped, ...after]);
		}
		await runRuntime(options, async (runtime) => {
			const middle = await looked("Plugins", () => withRuntime(runtime, options, before, spinner));
			spinner.stop();
			await finish(options, [...before, ...middle, ...after]);
		}).catch((thrown) => cannotOpen(thrown, options, [...before, ...after]));
	} finally {
		spinner.stop();
	}
}

/**
 * What needs no runtime.
 *
 * @param {Options} options
 * @returns {Promise<Check[]>}
 */
async function surroundings({ port }) {
	const groups = await Promise.all([
		looked("Processes", childChecks),
		looked("Port", () => portChecks(port)),
		looked("Folders", folderChecks),
		looked("Locks", () => lockChecks()),
		looked("Clients", clientChecks),
		looked("Clients", () => clientVersionChecks()),
	]);
	return groups.flat();
}

/**
 * @param {import("../runtime.js").Runtime} runtime
 * @param {Options} options
 * @param {Check[]} known
 * @param {Spinner} spinner
 * @returns {Promise<Check[]>}
 */
async function withRuntime(runtime, { config, plugin }, known, spinner) {
	const all = (await runtime.status()).plugins;
	const only = plugin === undefined ? undefined : knownPrefix(plugin, all);
	const prefixes = all.map(({ prefix }) => prefix).filter((prefix) => only === undefined || prefix === only);
	const tried = await tryPlugins(runtime, prefixes, (waiting) => spinner.show(`Starting ${waiting.join(", ")}`));
	const { plugins, warnings } = await runtime.status();
	const own = tried.map((one) => one.plugin);
	const groups = [
		await looked("Plugins", () => pluginChecks(tried, config)),
		only === undefined ? warningChecks(warnings, known) : [],
		await looked("Credentials", () => (only === undefined ? secretChecks(config) : [])),
		await looked("Credentials", () => loginChecks(own, config)),
		await looked("Names", () => nameChecks({ runtime, plugins, warnings, config, only })),
	];
	return groups.flat();
}

/**
 * @param {unknown} thrown
 * @param {Options} options
 * @param {Check[]} checks
 */
async function cannotOpen(thrown, options, checks) {
	if (thrown instanceof UsageError || !(thrown instanceof AgentToolsError)) throw thrown;
	await finish(options, [...checks, error("plugins.open", thrown.message, thrown.hint)]);
}

/**
 * @param {Options} options
 * @param {Check[]} found
 */
async function finish({ json, strict }, found) {
	const checks = found.map((check) => ({ ...check, message: scrubbed(check.message) }));
	const bad = checks.some(({ level }) => level === "error" || (strict && level === "warning"));
	process.exitCode = bad ? 1 : 0;
	await print(json ? `${JSON.stringify({ checks, ok: !bad }, null, 2)}\n` : reportText(checks));
}

/** What a client's file or a program says may hold anything. @param {string} text */
function scrubbed(text) {
	try {
		return native().scrub(text);
	} catch {
		return text;
	}
}
