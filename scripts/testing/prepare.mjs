import { statSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../e2e/harness/paths.js";
import { runTask } from "./run-task.mjs";

/** @typedef {import("./run-task.mjs").Task} Task */

/**
 * Installs and builds. The compiler keeps the cores busy and npm the network, so both go on at once.
 */
export async function prepare() {
	const [build, installs] = await Promise.all([
		quietly({ title: "build the addon", command: ["node", "scripts/build-native.mjs"] }),
		installAll(),
	]);
	return [build, ...installs];
}

async function installAll() {
	const done = [];
	for (const [title, folder, flags] of /** @type {const} */ ([
		["install the workspace", ".", []],
		// No package there needs a script of its own to work.
		["install the end-to-end clients", "e2e", ["--ignore-scripts"]],
	])) {
		if (isInstalled(folder)) continue;
		done.push(
			await quietly({
				title,
				command: ["npm", "ci", "--no-audit", "--no-fund", ...flags],
				cwd: path.join(ROOT, folder),
			}),
		);
	}
	return done;
}

/**
 * npm writes its own lockfile into node_modules last of all.
 *
 * @param {string} folder
 */
function isInstalled(folder) {
	try {
		const installed = statSync(path.join(ROOT, folder, "node_modules/.package-lock.json"));
		return installed.mtimeMs >= statSync(path.join(ROOT, folder, "package-lock.json")).mtimeMs;
	} catch {
		return false;
	}
}

/** @param {Task} task */
async function quietly(task) {
	const result = await runTask(task);
	console.log(`${result.failed ? "failed" : "ok"}  ${task.title} (${Math.round(result.ms / 1000)} s)`);
	return result;
}
