// Builds the native addon into bindings-node/, unless the one there is newer than every source.

import { copyFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { triple } from "../bindings-node/lib/platform.js";
import { buildLibrary } from "./addon-library.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = [
	"Cargo.toml",
	"Cargo.lock",
	"runtime",
	"bindings-node/src",
	"bindings-node/Cargo.toml",
	"bindings-node/build.rs",
];
const ADDON = `bindings-node/agent-tools-runtime.${triple()}.node`;

/**
 * @typedef {object} BuildOptions
 * @property {AbortSignal} [signal] stops the build
 * @property {() => void} [onBuild] told that there is something to build
 */

/**
 * @param {string} [root] the workspace
 * @param {BuildOptions} [options]
 * @returns {Promise<boolean>} whether the addon is there and up to date
 */
export async function buildNative(root = ROOT, { signal, onBuild = () => {} } = {}) {
	const addon = path.join(root, ADDON);
	if (isFresh(root, addon)) return true;
	onBuild();
	const library = await buildLibrary(["build", "--release"], { cwd: root, signal });
	if (!library) return false;
	// Moved into place, so that a process that starts meanwhile finds a whole file; a running one keeps its own.
	const draft = `${addon}.${process.pid}.tmp`;
	try {
		copyFileSync(library, draft);
		renameSync(draft, addon);
	} finally {
		rmSync(draft, { force: true });
	}
	return true;
}

/**
 * @param {string} root
 * @param {string} addon
 */
function isFresh(root, addon) {
	const built = statSync(addon, { throwIfNoEntry: false });
	return built !== undefined && SOURCES.every((source) => newest(path.join(root, source)) <= built.mtimeMs);
}

/**
 * @param {string} file
 * @returns {number}
 */
function newest(file) {
	const found = statSync(file, { throwIfNoEntry: false });
	if (!found) return 0;
	if (!found.isDirectory()) return found.mtimeMs;
	// A folder's own time tells of files that were added or removed.
	return Math.max(found.mtimeMs, ...readdirSync(file).map((name) => newest(path.join(file, name))));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	process.exitCode = (await buildNative()) ? 0 : 1;
}
