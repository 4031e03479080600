import { awake } from "../awake.js";
import { calledAs } from "../called-as.js";
import { warningsAbout, whyLeftOut } from "../configured/left-out.js";
import { opened, runRuntime } from "../run-runtime.js";
import { Spinner } from "../spinner.js";

/**
 * @typedef {import("../../runtime.js").Runtime} Runtime
 *
 * @typedef {object} Checked
 * @property {boolean} works
 * @property {number} [tools]
 * @property {number} [skills]
 * @property {string} [reason] why it does not work
 * @property {string} [command] what mends it
 * @property {string[]} warnings about it
 */

/**
 * Starts the service, as the runtime does, and ends the process when `finish` is through.
 *
 * @param {import("../command-line.js").CommandOptions} options
 * @param {{name: string, prefix: string, file: string, isRead: boolean}} which `isRead`: whether the runtime finds the entry by itself
 * @param {(checked: Checked) => Promise<void>} finish
 */
export async function check(options, { name, prefix, file, isRead }, finish) {
	const what = isRead ? opened(options) : { config: file, pluginDirs: [], packageRoot: null };
	// What an earlier run kept says nothing of whether it starts now.
	const open = { ...what, cache: false };
	await runRuntime(
		options,
		async (runtime) => {
			const spinner = new Spinner();
			spinner.show(`Starting ${name}; Ctrl-C ends`);
			try {
				const failure = await awake(() => started(runtime, prefix));
				const checked = await seen(runtime, { name, prefix, file, failure });
				spinner.stop();
				await finish(checked);
			} finally {
				spinner.stop();
			}
		},
		{ open },
	);
}

/**
 * @param {Runtime} runtime
 * @param {string} prefix
 */
async function started(runtime, prefix) {
	try {
		await runtime.tools({ kind: "flat", plugin: prefix });
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/**
 * @param {Runtime} runtime
 * @param {{name: string, prefix: string, file: string, failure?: string}} which
 * @returns {Promise<Checked>}
 */
async function seen(runtime, { name, prefix, file, failure }) {
	const { plugins, warnings: all } = await runtime.status();
	const warnings = [...new Set([name, prefix].flatMap((word) => warningsAbout(word, all)))];
	const plugin = plugins.find((one) => one.prefix === prefix);
	if (!plugin) {
		const reason = whyLeftOut(name, [file], all) ?? failure ?? "the runtime has no service of that name";
		return { works: false, reason, warnings: warnings.filter((warning) => !warning.endsWith(reason)) };
	}
	const { state, tools = 0, skills = 0, auth, heldBack = [] } = plugin;
	// Which plugin it is about is said already.
	const reason = (plugin.reason ?? failure)?.replace(`the plugin ${prefix} is not available: `, "");
	const others = warnings.filter((warning) => !reason || !warning.includes(reason));
	if (auth === "needed") {
		const why = reason ?? "nobody is logged in to it";
		return { works: false, reason: why, command: `${calledAs()} login ${prefix}`, warnings: others };
	}
	if (state !== "ready" || (tools === 0 && reason)) {
		return { works: false, reason: reason ?? `it is ${state}`, warnings: others };
	}
	if (heldBack.length > 0) others.push(`${heldBack.length} tools are held back: ${calledAs()} trust ${prefix}`);
	return { works: true, tools, skills, warnings: [...new Set(others)] };
}
