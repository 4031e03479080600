// `npm start`: from a fresh clone to a running server. Installs and builds what is missing, then serves HTTP.
// Further arguments go to the `http` command: npm start -- --port 0

import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OLDEST_NODE = 20;

const major = Number(process.versions.node.split(".")[0]);
if (major < OLDEST_NODE) {
	fail(`Node ${OLDEST_NODE} or newer is needed; this is ${process.version}`, "Install it from https://nodejs.org.");
}

if (!isInstalled()) {
	say("Installing the packages …");
	if (!npm("ci", "--no-audit", "--no-fund", "--loglevel=error")) fail("npm ci failed", "Its own message is above.");
}

const { buildNative } = await import("./build-native.mjs");
say("Building the native core, unless it is up to date; the first time takes some minutes …");
if (!(await buildNative())) fail("the native core could not be built", "The compiler's messages are above.");

process.env.AGENT_TOOLS_PLUGINS_DIR ||= path.join(ROOT, "plugins");
const { main } = await import("../bindings-node/lib/cli/main.js");
await main(["http", ...process.argv.slice(2)]);

/** npm writes its own lockfile into node_modules last of all. */
function isInstalled() {
	const installed = statSync(path.join(ROOT, "node_modules/.package-lock.json"), { throwIfNoEntry: false });
	return installed !== undefined && installed.mtimeMs >= statSync(path.join(ROOT, "package-lock.json")).mtimeMs;
}

/** @param {string[]} args */
function npm(...args) {
	const { npm_execpath: self } = process.env;
	/** @type {import("node:child_process").SpawnSyncOptions} */
	const options = { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] };
	// The npm that runs this script, if one does. On Windows npm is a script, which only a shell can start.
	const outcome = self?.endsWith("npm-cli.js")
		? spawnSync(process.execPath, [self, ...args], options)
		: spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
	return outcome.status === 0;
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
