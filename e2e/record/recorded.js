// A call log of its own for each test, and the command that reads it.

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CLI, fixturePlugin } from "../harness/paths.js";
import { StdioSession } from "../harness/stdio-session.js";

/**
 * @typedef {{code: number, stdout: string, stderr: string}} Ran
 */

/** @param {import("node:test").TestContext} t */
export function ownLog(t) {
	const home = mkdtempSync(path.join(tmpdir(), "agent-tools-record-"));
	t.after(() => rmSync(home, { recursive: true, force: true }));
	const dir = path.join(home, "log");
	const env = {
		...process.env,
		AGENT_TOOLS_AUDIT_DIR: dir,
		AGENT_TOOLS_CONFIG_DIR: path.join(home, "config"),
		AGENT_TOOLS_PLUGINS_DIR: fixturePlugin("notes"),
	};
	return {
		home,
		dir,
		env,
		/** What the command prints, and how it ends. @param {string[]} args @returns {Promise<Ran>} */
		audit: (...args) =>
			new Promise((resolve) => {
				execFile(process.execPath, [CLI, "audit", ...args], { env, cwd: home }, (error, stdout, stderr) =>
					resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
				);
			}),
		/** Everything that is in the folder, as text. */
		text: () =>
			readdirSync(dir)
				.map((name) => readFileSync(path.join(dir, name), "utf8"))
				.join("\n"),
		/** @returns {any[]} */
		lines: () =>
			readdirSync(dir)
				.filter((name) => name.endsWith(".jsonl"))
				.sort()
				.flatMap((name) => readFileSync(path.join(dir, name), "utf8").trim().split("\n"))
				.map((line) => JSON.parse(line)),
	};
}

/**
 * A client on stdio.
 *
 * @param {import("node:test").TestContext} t
 * @param {NodeJS.ProcessEnv} env
 * @param {{args?: string[], cwd?: string, generation?: "legacy" | "modern"}} [how]
 */
export async function openStdio(t, env, { args = [], cwd, generation = "legacy" } = {}) {
	const session = new StdioSession(generation, process.execPath, [CLI, "mcp", "--view", "facade", ...args], {
		env,
		cwd,
	});
	t.after(async () => {
		session.child.kill("SIGKILL");
		await session.ended;
	});
	await session.open();
	return session;
}

/** @param {string} tool @param {object} args @param {object} [more] */
export function call(tool, args, more = {}) {
	return { name: "agent_tools_notes_call", arguments: { toolName: tool, arguments: args, ...more } };
}
