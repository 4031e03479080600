// `npm start`: from a fresh clone to a running server. Installs and builds what is missing, then serves HTTP.
// Further arguments go to the `http` command: npm start -- --port 0

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { outlivesTerminal } from "../bindings-node/lib/cli/hangup.js";
import { whenOrphaned } from "./when-orphaned.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OLDEST_NODE = 20;

const major = Number(process.versions.node.split(".")[0]);
if (major < OLDEST_NODE) {
	fail(`Node ${OLDEST_NODE} or newer is needed; this is ${process.version}`, "Install it from https://nodejs.org.");
}

endWithNpm();
const ready = endable();

if (!isInstalled()) {
	say("Installing the packages …");
	const installed = await npm("ci", "--no-audit", "--no-fund", "--loglevel=error");
	if (!installed) fail("npm ci failed", "Its own message is above.");
}

if (!process.env.AGENT_TOOLS_NATIVE_PATH) {
	const { buildNative } = await import("./build-native.mjs");
	const onBuild = () => say("Building the native core; the first time takes some minutes …");
	const built = await buildNative(ROOT, { signal: ready.signal, onBuild });
	if (!built) fail("the native core could not be built", "The compiler's messages are above.");
}

process.env.AGENT_TOOLS_PLUGINS_DIR ||= path.join(ROOT, "plugins");
const { main } = await import("../bindings-node/lib/cli/main.js");
ready.done();
await main(["http", ...process.argv.slice(2)]);

/**
 * A signal that npm gets does not always come through the shell that it starts. Not if npm was to outlive its terminal:
 * it does not itself, and the server shall.
 */
function endWithNpm() {
	if (process.env.npm_lifecycle_event === undefined) return;
	const forget = whenOrphaned(() => process.kill(process.pid, "SIGTERM"));
	if (outlivesTerminal()) process.once("SIGHUP", forget);
}

/** Until the server has its own way to end, a signal stops what is being installed or built. */
function endable() {
	const controller = new AbortController();
	/** @type {[NodeJS.Signals, () => void][]} */
	const handlers = ["SIGINT", "SIGTERM", "SIGHUP"].map((name) => {
		const signal = /** @type {NodeJS.Signals} */ (name);
		const end = () => {
			if (signal === "SIGHUP" && outlivesTerminal()) return;
			controller.abort();
			process.exit(128 + constants.signals[signal]);
		};
		process.on(signal, end);
		return [signal, end];
	});
	const done = () => {
		for (const [signal, end] of handlers) process.off(signal, end);
	};
	return { signal: controller.signal, done };
}

/** npm writes its own lockfile into node_modules last of all. */
function isInstalled() {
	const installed = statSync(path.join(ROOT, "node_modules/.package-lock.json"), { throwIfNoEntry: false });
	return installed !== undefined && installed.mtimeMs >= statSync(path.join(ROOT, "package-lock.json")).mtimeMs;
}

/**
 * @param {...string} args
 * @returns {Promise<boolean>} whether it succeeded
 */
function npm(...args) {
	const { npm_execpath: self } = process.env;
	/** @type {import("node:child_process").SpawnOptions} */
	const options = { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"], signal: ready.signal };
	// The npm that runs this script, if one does. On Windows npm is a script, which only a shell can start.
	const child = self?.endsWith("npm-cli.js")
		? spawn(process.execPath, [self, ...args], options)
		: spawn("npm", args, { ...options, shell: process.platform === "win32" });
	return new Promise((resolve) => {
		child.once("error", () => resolve(false));
		child.once("close", (code) => resolve(code === 0));
	});
}

/** @param {string} text */
function say(text) {
	process.stderr.write(`${text}\n`);
}

/**
 * @param {string} what
 * @param {string} hint
 * @returns {never}
 */
function fail(what, hint) {
	say(`error: ${what}\nhint: ${hint}`);
	process.exit(1);
}
