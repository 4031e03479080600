import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CLI } from "../harness/paths.js";
import { react, onTerminal as runOnTerminal, WITHOUT_TERMINAL } from "../harness/terminal.js";

export const SERVER = fileURLToPath(new URL("desk-server.mjs", import.meta.url));
export const LIMIT = { timeout: 120_000 };
export const ON_TERMINAL = { ...LIMIT, skip: WITHOUT_TERMINAL };

/**
 * A user with a desk, in folders of their own, and the command that they run there.
 *
 * @param {import("node:test").TestContext} t
 * @param {object} [more] of the user's agent-tools.json
 */
export function desk(t, more) {
	const folder = mkdtempSync(path.join(tmpdir(), "desk-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const log = path.join(folder, "calls.log");
	const project = path.join(folder, "project");
	const user = path.join(folder, "user");
	for (const each of [project, user]) mkdirSync(each);
	const server = { command: process.execPath, args: [SERVER, log] };
	writeFileSync(path.join(user, "agent-tools.json"), JSON.stringify({ mcpServers: { desk: server }, ...more }));
	const { FORCE_COLOR: _force, NO_COLOR: _no, ...inherited } = process.env;
	const env = {
		...inherited,
		HOME: folder,
		XDG_CONFIG_HOME: path.join(folder, ".config"),
		AGENT_TOOLS_PLUGINS_DIR: "",
		AGENT_TOOLS_CONFIG: "",
		AGENT_TOOLS_CONFIG_DIR: user,
		AGENT_TOOLS_CACHE_DIR: path.join(folder, "cache"),
		AGENT_TOOLS_DATA_DIR: path.join(folder, "data"),
		AGENT_TOOLS_AUDIT_DIR: path.join(folder, "audit"),
	};

	/**
	 * @param {string[]} args
	 * @param {{input?: string, env?: object, reactions?: import("../harness/terminal.js").Reaction[]}} [how] `reactions` to what
	 *   it says on stderr; the key that they can type is Ctrl-C
	 */
	const run = async (args, { input = "", env: others, reactions = [] } = {}) => {
		const child = spawn(process.execPath, [CLI, ...args], { cwd: project, env: { ...env, ...others } });
		t.after(() => child.kill("SIGKILL"));
		react(child.stderr, reactions, () => child.kill("SIGINT"));
		child.stdin.on("error", () => {});
		child.stdin.end(input);
		return ended(child);
	};

	/**
	 * The same on a terminal.
	 *
	 * @param {string[]} args
	 * @param {import("../harness/terminal.js").Reaction[]} [reactions]
	 * @param {object} [others] variables
	 */
	const onTerminal = (args, reactions = [], others = {}) =>
		runOnTerminal(t, [process.execPath, CLI, ...args], { cwd: project, env: { ...env, ...others }, reactions });

	/** What reached the desk. */
	const calls = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
	return { folder, project, user, log, server, env, run, onTerminal, calls };
}

/** What a child has said, and how it ended. @param {import("node:child_process").ChildProcessWithoutNullStreams} child */
export async function ended(child) {
	let out = "";
	let err = "";
	child.stdout.setEncoding("utf8").on("data", (text) => {
		out += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text) => {
		err += text;
	});
	const [code] = await once(child, "close");
	return { code, out, err };
}

/** @param {string} shown with what steers a terminal */
export function withoutControls(shown) {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	return shown.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, "");
}
