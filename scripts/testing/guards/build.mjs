import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, renameSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { triple } from "../../../bindings-node/lib/platform.js";
import { COPY } from "./copy.mjs";

/** Not where the sources are built: cargo would take the addon of the copy for theirs. */
const BUILT = path.join(COPY, "target");

/**
 * Builds the copy's addon and tests.
 *
 * @param {string[]} targets of integration tests
 * @returns {Promise<string[]>} the programs of tests
 */
export async function build(targets) {
	const flags = ["--workspace", "--locked", "--message-format=json-render-diagnostics"];
	const tests = await cargo("test", "--no-run", "--lib", ...targets.flatMap((name) => ["--test", name]), ...flags);
	const made = await cargo("build", "--lib", ...flags);
	const addon = made
		.flatMap(({ filenames }) => filenames)
		.find((file) => /agent_tools_runtime_node\.(so|dylib|dll)$/.test(file));
	if (!addon) throw new Error("cargo made no addon");
	const place = path.join(COPY, `bindings-node/agent-tools-runtime.${triple()}.node`);
	copyFileSync(addon, `${place}.tmp`);
	renameSync(`${place}.tmp`, place);
	return tests.flatMap(({ executable }) => executable ?? []);
}

/**
 * @typedef {{reason: string, filenames: string[], executable: string | null}} Artifact
 *
 * @param {...string} args
 * @returns {Promise<Artifact[]>}
 */
async function cargo(...args) {
	const child = spawn("cargo", args, {
		cwd: COPY,
		env: { ...process.env, CARGO_TARGET_DIR: BUILT, RUSTFLAGS: process.env.RUSTFLAGS },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const ended = once(child, "close");
	/** @type {Artifact[]} */
	const made = [];
	for await (const line of createInterface({ input: child.stdout })) {
		const message = JSON.parse(line);
		if (message.reason === "compiler-artifact") made.push(message);
	}
	const [code] = await ended;
	if (code !== 0) throw new Error(`cargo ${args[0]} failed`);
	return made;
}
