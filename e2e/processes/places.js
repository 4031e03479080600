import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { nodeFolder } from "../harness/node-versions.js";
import { ROOT } from "../harness/paths.js";

/** The Node that Pi and eve run on. */
export const NODE24 = path.join(nodeFolder(24) ?? "Node 24 is not installed", "node");

/** @param {string} file a path in the folder of the pinned packages */
export function e2eModule(file) {
	return path.join(ROOT, "e2e/node_modules", file);
}

/** @type {string[]} */
const temporary = [];
process.once("exit", () => {
	for (const folder of temporary) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * A folder that is gone when this process ends: by then whatever wrote into it has ended too.
 *
 * @param {string} name
 */
export function temporaryFolder(name) {
	const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
	temporary.push(folder);
	return folder;
}
