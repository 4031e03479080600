// Builds the native addon into bindings-node/, unless the one there is newer than every source.

import { spawn } from "node:child_process";
import { copyFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { triple } from "../bindings-node/lib/platform.js";

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

const NO_CARGO = `error: cargo, the Rust build tool, is not installed; the native addon cannot be built
hint: Install Rust from https://rustup.rs, open a new shell and try again.`;

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
	const library = await runCargo(root, signal);
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

/**
 * @param {string} root
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | undefined>} the library that cargo made
 */
async function runCargo(root, signal) {
	const args = ["build", "--release", "--locked", "-p", "agent-tools-runtime-node"];
	// On stdout cargo says which files it made, wherever its target folder is; its progress goes to stderr as ever.
	const cargo = spawn("cargo", [...args, "--message-format=json-render-diagnostics"], {
		cwd: root,
		stdio: ["ignore", "pipe", "inherit"],
		signal,
	});
	/** @type {Promise<boolean>} */
	const ended = new Promise((resolve) => {
		cargo.once("error", (error) => {
			const missing = "code" in error && error.code === "ENOENT";
			if (!signal?.aborted) console.error(missing ? NO_CARGO : `error: cargo could not be started: ${error.message}`);
			resolve(false);
		});
		cargo.once("close", (code) => resolve(code === 0));
	});
	/** @type {string | undefined} */
	let library;
	for await (const line of createInterface({ input: cargo.stdout })) library = libraryOf(line) ?? library;
	return (await ended) ? library : undefined;
}

/**
 * @param {string} line
 * @returns {string | undefined}
 */
function libraryOf(line) {
	/** @type {{reason: string, target?: {name: string}, filenames?: string[]}} */
	const message = JSON.parse(line);
	if (message.reason !== "compiler-artifact" || message.target?.name !== "agent_tools_runtime_node") return undefined;
	return message.filenames?.find((file) => /\.(so|dylib|dll)$/.test(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	process.exitCode = (await buildNative()) ? 0 : 1;
}
