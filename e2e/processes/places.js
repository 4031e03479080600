import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The Node that Pi and eve need. */
export const NODE24 = e2eModule("node24/bin/node");

/** @param {string} file a path in the folder of the heavy test tools */
export function e2eModule(file) {
	return path.join(ROOT, "e2e/node_modules", file);
}

/**
 * A folder that is gone when this process ends: by then whatever wrote into it has ended too.
 *
 * @param {string} name
 */
export function temporaryFolder(name) {
	const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
	process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	return folder;
}
