import { spawn } from "node:child_process";
import { once } from "node:events";
import { CLI } from "./paths.js";

/** A first start may have to read much from a cold disk. */
const START_LIMIT_MS = 60_000;

/**
 * `agent-tools-runtime http` on a free port, stopped when the test ends.
 *
 * @param {import("node:test").TestContext | {after(fn: () => unknown): void}} t
 * @param {{args?: string[], env?: NodeJS.ProcessEnv, cwd?: string}} [options]
 */
export async function startHttp(t, { args = [], env = {}, cwd } = {}) {
	const child = spawn(process.execPath, [CLI, "http", "--port", "0", ...args], {
		cwd,
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	const address = new Promise((resolve, reject) => {
		const read = (/** @type {Buffer} */ chunk) => {
			output += chunk;
			const found = output.match(/http:\/\/[^\s"]+:(\d+)\/mcp/);
			if (found) resolve({ url: found[0], port: Number(found[1]) });
		};
		child.stdout.on("data", read);
		child.stderr.on("data", read);
		child.once("exit", (code) => reject(new Error(`the server ended with code ${code}:\n${output}`)));
		setTimeout(() => reject(new Error(`the server did not start:\n${output}`)), START_LIMIT_MS).unref();
	});
	t.after(async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		const gone = once(child, "exit");
		child.kill("SIGKILL");
		await gone;
	});
	return { ...(await address), child, output: () => output };
}
