import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CLI } from "../harness/paths.js";

export const SERVER = fileURLToPath(new URL("desk-server.mjs", import.meta.url));
export const LIMIT = { timeout: 120_000 };
/** A terminal to test on is made by util-linux's `script`. */
export const ON_TERMINAL = { ...LIMIT, skip: process.platform !== "linux" && "util-linux's script is used" };

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
	 * @param {{input?: string, env?: object}} [how]
	 */
	const run = async (args, { input = "", env: others } = {}) => {
		const child = spawn(process.execPath, [CLI, ...args], { cwd: project, env: { ...env, ...others } });
		child.stdin.on("error", () => {});
		child.stdin.end(input);
		return ended(child);
	};

	/**
	 * The same on a terminal of 80 columns, where all that is written is seen as one.
	 *
	 * @param {string[]} args
	 * @param {[RegExp, string][]} [typed] what is typed once that is seen
	 * @param {object} [others] variables
	 */
	const onTerminal = async (args, typed = [], others = {}) => {
		const quoted = [process.execPath, CLI, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
		const child = spawn("script", ["-qec", `stty cols 80 rows 24 -echo; ${quoted}`, "/dev/null"], {
			cwd: project,
			env: { ...env, TERM: "xterm", ...others },
		});
		const waiting = [...typed];
		let seen = "";
		child.stdout.on("data", (text) => {
			seen += text;
			const [next] = waiting;
			if (!next?.[0].test(seen)) return;
			waiting.shift();
			seen = "";
			child.stdin.write(next[1]);
		});
		t.after(() => child.kill("SIGKILL"));
		const { code, out } = await ended(child);
		return { code, shown: out.replaceAll("\r\n", "\n") };
	};

	/** What reached the desk. */
	const calls = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
	return { folder, project, user, server, env, run, onTerminal, calls };
}

/** @param {import("node:child_process").ChildProcessWithoutNullStreams} child */
async function ended(child) {
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
