import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { killMarked, MARKER } from "./marked-processes.js";
import { fixturePlugin } from "./paths.js";

/**
 * A program with plugins, in an environment that marks it and everything it starts.
 *
 * @param {import("node:test").TestContext} t
 * @param {string[]} args of node
 * @param {{plugins: string[], env?: NodeJS.ProcessEnv}} options
 */
export function startMarked(t, args, { plugins, env = {} }) {
	const marker = randomUUID();
	const child = spawn(process.execPath, args, {
		env: {
			...process.env,
			...env,
			[MARKER]: marker,
			AGENT_TOOLS_PLUGINS_DIR: plugins.map(fixturePlugin).join(path.delimiter),
		},
		stdio: ["pipe", "pipe", "pipe"],
	});
	let stderr = "";
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	child.stdin.on("error", () => {});
	const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
	// Whatever the test finds, nothing may be left for the next one.
	t.after(() => killMarked(marker));
	return { child, marker, ended, stderr: () => stderr };
}
