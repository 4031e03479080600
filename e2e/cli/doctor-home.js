import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CLI, FIXTURES } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { temporaryFolder } from "../processes/places.js";

const ROOT = temporaryFolder("agent-tools-doctor");

/** A small MCP server that is healthy. */
export const HEALTHY = { command: "node", args: [path.join(FIXTURES, "mcp-server.mjs")] };

/** A user with a home of their own, and a project in it. */
export class DoctorHome {
	home = mkdtempSync(path.join(ROOT, "home-"));
	project = path.join(this.home, "project");

	constructor() {
		mkdirSync(this.project);
		this.configure({ mcpServers: { notes: HEALTHY } });
	}

	/** The project's file. */
	get file() {
		return path.join(this.project, "agent-tools.json");
	}

	get data() {
		return path.join(this.home, ".local/share/agent-tools");
	}

	/** Writes the project's file, without the plugins of this repository. @param {Record<string, unknown>} content */
	configure(content) {
		const { plugins = [], ...others } = /** @type {{plugins?: unknown[]}} */ (content);
		this.write("project/agent-tools.json", { ...others, plugins: [...plugins, ...onlyRepositoryPlugins()] });
	}

	/** The user's own file, which may start what it likes. @param {Record<string, unknown>} content */
	own(content) {
		this.write(".config/agent-tools/agent-tools.json", content);
	}

	/** @param {string} name below the home @param {unknown} content a text, or what becomes JSON */
	write(name, content) {
		const file = path.join(this.home, name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
		return file;
	}

	/** Nothing of this machine's settings. */
	get env() {
		return { PATH: `${path.dirname(process.execPath)}${path.delimiter}/usr/bin:/bin`, HOME: this.home };
	}

	/**
	 * `agent-tools doctor`, as somebody types it in the project's folder.
	 *
	 * @param {string[]} args
	 * @param {{node?: string, cli?: string, env?: NodeJS.ProcessEnv}} [how]
	 */
	async doctor(args = [], { node = process.execPath, cli = CLI, env = {} } = {}) {
		const child = spawn(node, [cli, "doctor", ...args], {
			cwd: this.project,
			env: { ...this.env, ...env },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let [out, err] = ["", ""];
		child.stdout.setEncoding("utf8").on("data", (text) => {
			out += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text) => {
			err += text;
		});
		const [code] = await once(child, "close");
		return { code, out, err };
	}

	/**
	 * The same as programs read it.
	 *
	 * @param {string[]} [args]
	 * @param {Parameters<DoctorHome["doctor"]>[1]} [how]
	 */
	async report(args = [], how = {}) {
		const { code, out, err } = await this.doctor([...args, "--json"], how);
		/** @type {{checks: import("../../bindings-node/lib/cli/doctor/check.js").Check[], ok: boolean}} */
		const report = JSON.parse(out);
		/** @param {string} id */
		const of = (id) => report.checks.filter((check) => check.id === id && check.level !== "ok");
		return { ...report, code, out, err, of };
	}
}
