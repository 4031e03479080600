import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { native } from "../native.js";
import { print, sayAs } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {{error: boolean, message: string}} Problem
 * @typedef {import("../../index.d.ts").PluginStatus} PluginStatus
 */

/**
 * Looks at a plugin's folder or a configuration file, and starts what is right, to see what it offers.
 *
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} target
 */
export async function run(options, target) {
	const place = path.resolve(target);
	if (!existsSync(place)) throw new UsageError(`${target} does not exist`, "Usage: agent-tools validate PATH");
	/** @type {Problem[]} */
	const problems = JSON.parse(await native().validate(place));
	if (problems.some(({ error }) => error)) {
		await finish(options, problems, []);
		process.exitCode = 1;
		return;
	}
	const config = configFile(place);
	const alone = config
		? { packageRoot: null, pluginDirs: [], config }
		: { packageRoot: null, pluginDirs: [folderOf(place)], config: false };
	await runRuntime(
		{},
		async (runtime) => {
			await runtime.loadAll();
			const { plugins, warnings } = await runtime.status();
			// Those of a configuration file are known already.
			for (const warning of warnings) note(problems, plugins.length === 0, warning);
			for (const { state, reason, brokenSkills = [], prefix } of plugins) {
				// What the user still has to do is no mistake, and is told already.
				const failed = reason && state !== "needs set-up";
				for (const problem of [...(failed ? [reason] : []), ...brokenSkills]) {
					note(problems, true, plugins.length > 1 ? `${prefix}: ${problem}` : problem);
				}
			}
			await finish(options, problems, plugins);
			if (problems.some(({ error }) => error)) process.exitCode = 1;
		},
		{ open: alone },
	);
}

/**
 * The configuration file that is meant; none where a plugin is.
 *
 * @param {string} place
 */
function configFile(place) {
	if (!statSync(place).isDirectory()) return path.basename(place) === "plugin.json" ? undefined : place;
	const inside = path.join(place, "agent-tools.json");
	return existsSync(inside) && !existsSync(path.join(place, "plugin.json")) ? inside : undefined;
}

/** @param {string} place */
function folderOf(place) {
	return path.basename(place) === "plugin.json" ? path.dirname(place) : place;
}

/**
 * @param {Problem[]} problems
 * @param {boolean} error
 * @param {string} message
 */
function note(problems, error, message) {
	if (!problems.some((known) => message.includes(known.message))) problems.push({ error, message });
}

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {Problem[]} problems
 * @param {PluginStatus[]} plugins
 */
async function finish(options, problems, plugins) {
	const valid = !problems.some(({ error }) => error);
	if (options.json) {
		const offered = plugins.map(({ prefix, state, tools, skills }) => ({ prefix, state, tools, skills }));
		return print(`${JSON.stringify({ valid, problems, plugins: offered }, null, 2)}\n`);
	}
	for (const { error, message } of problems) sayAs(error ? "error" : "warning", message);
	for (const { prefix, tools = 0, skills = 0 } of plugins) {
		await print(`${prefix}: ${count(tools, "tool")}, ${count(skills, "skill")}\n`);
	}
	const errors = problems.filter(({ error }) => error).length;
	await print(valid ? "valid\n" : `not valid: ${count(errors, "error")}\n`);
}

/**
 * @param {number} number
 * @param {string} what
 */
function count(number, what) {
	return `${number} ${what}${number === 1 ? "" : "s"}`;
}
