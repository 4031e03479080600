import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.js";

/** The Node versions that the packages promise to work on. */
export const NODE_MAJORS = [20, 22, 24];

/**
 * The folder of a Node binary of that version, to be put first on PATH. Programs that say `#!/usr/bin/env node` then run
 * on it, and so does every child.
 *
 * @param {number} major
 * @returns {string | undefined} undefined on a system for which none is pinned and whose own Node is another version
 */
export function nodeFolder(major) {
	const pinned = path.join(ROOT, `e2e/node_modules/node${major}/bin`);
	if (existsSync(path.join(pinned, "node"))) return pinned;
	if (Number.parseInt(process.versions.node, 10) === major) return path.dirname(process.execPath);
	return undefined;
}

/**
 * The environment with that Node version first on PATH.
 *
 * @param {number} major
 * @param {NodeJS.ProcessEnv} [env]
 */
export function onNode(major, env = process.env) {
	const folder = nodeFolder(major);
	if (!folder) throw new Error(`Node ${major} is not installed; e2e/package.json pins one for Linux on x64`);
	return { ...env, PATH: `${folder}${path.delimiter}${env.PATH}` };
}
