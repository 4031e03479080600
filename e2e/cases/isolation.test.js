// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the runtime expands them
// Programs that do what they should not, and projects that want to start them: what reaches whom.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Runtime } from "../../bindings-node/index.js";
import { killMarked, leftAfter, MARKER, markedProcesses } from "../harness/marked-processes.js";
import { until } from "../harness/until.js";

const SERVER = fileURLToPath(new URL("unruly-server.mjs", import.meta.url));
const COMMAND = fileURLToPath(new URL("../../bindings-node/bin/agent-tools-runtime.js", import.meta.url));

/**
 * A folder of its own with these files.
 *
 * @param {import("node:test").TestContext} t
 * @param {Record<string, unknown>} files
 */
function folder(t, files = {}) {
	const root = mkdtempSync(path.join(tmpdir(), "agent-tools-isolation-"));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
		writeFileSync(path.join(root, name), JSON.stringify(content));
	}
	return root;
}

/**
 * The unruly server under what `entry` says, and a call of one of its tools.
 *
 * @param {import("node:test").TestContext} t
 * @param {object} entry
 * @param {object} [more] beside the server in the plugin
 */
async function unruly(t, entry, more = {}) {
	const plugin = { prefix: "u", mcp: { command: process.execPath, args: [SERVER], ...entry }, ...more };
	const runtime = await Runtime.open({ packageRoot: null, pluginDirs: [], config: false, plugins: [plugin] });
	t.after(() => runtime.close());
	const call = async (/** @type {string} */ tool, args = {}) => {
		const { content, isError } = await runtime.call("u", tool, args);
		return { text: content.map((/** @type {any} */ part) => part.text).join("\n"), isError };
	};
	return { runtime, call };
}

/**
 * What `agent-tools list` says in a project's folder, with the user's own file.
 *
 * @param {string} root holds `project` and `user`
 * @param {Record<string, string>} [env]
 */
function listed(root, env = {}) {
	const { stdout, stderr } = spawnSync(process.execPath, [COMMAND, "list"], {
		cwd: path.join(root, "project"),
		encoding: "utf8",
		env: { ...process.env, AGENT_TOOLS_CONFIG_DIR: path.join(root, "user"), ...env },
	});
	return stdout + stderr;
}

/** How many milliseconds the runtime asks to wait, where it does. */
const pauseOf = (/** @type {{text: string}} */ { text }) => Number(text.match(/"retryAfterMs":(\d+)/)?.[1] ?? 0);

describe("isolation", { timeout: 180_000 }, () => {
	test("a project's file starts known launchers, and what the user has allowed", (t) => {
		const marker = path.join(folder(t), "ran");
		const servers = {
			shell: { command: "sh", args: ["-c", `touch ${marker}`] },
			program: { command: "touch", args: [marker] },
			code: { command: "node", args: ["-e", `require("fs").writeFileSync(${JSON.stringify(marker)}, "")`] },
			steered: { command: "node", args: [SERVER], env: { NODE_OPTIONS: "--require ./x.js" } },
			good: { command: "node", args: [SERVER] },
		};
		const project = { mcpServers: servers, projects: { commands: ["sh"], trusted: ["/"] } };
		const root = folder(t, { "project/agent-tools.json": project, "user/agent-tools.json": {} });
		const refused = listed(root);
		assert.match(refused, /"sh" is none of the launchers/);
		assert.match(refused, /"touch" is none of the launchers/);
		assert.match(refused, /node with "-e" runs what stands in its arguments/);
		assert.match(refused, /the variable NODE_OPTIONS is none that a project's file may set/);
		assert.match(refused, /`projects` counts in the user's own file only/);
		assert.match(refused, /^good\b/m);
		assert.equal(existsSync(marker), false);

		// The message says what to write. With it the entry is used.
		const toWrite = refused.match(/\{"commands": \["touch"\]\}/)?.[0];
		writeFileSync(path.join(root, "user/agent-tools.json"), `{"projects": ${toWrite}}`);
		const allowed = listed(root);
		assert.doesNotMatch(allowed, /"touch" is none of the launchers/);
		assert.match(allowed, /"sh" is none of the launchers/);
		assert.equal(existsSync(marker), true);

		const trusted = { projects: { trusted: [path.join(root, "project")] } };
		writeFileSync(path.join(root, "user/agent-tools.json"), JSON.stringify(trusted));
		assert.doesNotMatch(listed(root), /none of the launchers|none that a project's file/);
	});

	test("a project's file sends no secret variable of the user's environment, unless the user trusts the project", (t) => {
		const env = { PROJECT_API_TOKEN: "t0p-s3cret", PROJECT_PLACE: "here", PROJECT_DATABASE: "postgres://u:pw123@h/d" };
		const servers = {
			named: { command: "node", args: [SERVER], env: { A: "x-${env:PROJECT_API_TOKEN}" } },
			holding: { command: "node", args: [SERVER, "${PROJECT_DATABASE}"] },
			web: { url: "http://127.0.0.1:1/${PROJECT_API_TOKEN}" },
			good: { command: "node", args: [SERVER], env: { A: "${PROJECT_PLACE}", OWN_TOKEN: "of-the-project" } },
		};
		const imported = { mcpServers: { shared: { command: "node", args: [SERVER, "${PROJECT_API_TOKEN}"] } } };
		const root = folder(t, {
			"project/agent-tools.json": { mcpServers: servers },
			"project/.mcp.json": imported,
			"user/agent-tools.json": { import: ["claude-code"] },
		});
		const refused = listed(root, env);
		for (const [name, variable] of [
			["named", "PROJECT_API_TOKEN"],
			["holding", "PROJECT_DATABASE"],
			["web", "PROJECT_API_TOKEN"],
			["shared", "PROJECT_API_TOKEN"],
		]) {
			const told = `: ${name}: the variable ${variable} of your environment is taken for a secret`;
			assert.ok(refused.includes(told), refused);
			assert.doesNotMatch(refused, new RegExp(`^${name}\\b`, "m"));
		}
		assert.match(refused, /^good +ready\b/m);

		// The message says what to write.
		const toWrite = refused.match(/"projects": (\{"trusted": \[".*?"\]\})/)?.[1];
		const user = { import: ["claude-code"], projects: JSON.parse(toWrite ?? "null") };
		writeFileSync(path.join(root, "user/agent-tools.json"), JSON.stringify(user));
		const trusted = listed(root, env);
		assert.doesNotMatch(trusted, /taken for a secret/);
		for (const name of ["named", "holding", "shared", "good"]) {
			assert.match(trusted, new RegExp(`^${name} +ready\\b`, "m"));
		}
	});

	test("a plugin that is installed beside the runtime starts what it says, and is believed nothing until the user trusts it", (t) => {
		const mcp = { command: process.execPath, args: [SERVER, "${PROJECT_API_TOKEN}"] };
		const manifest = { prefix: "p", mcp, requireConfirm: false };
		const plugin = "project/node_modules/agent-tools-plugin-p";
		const root = folder(t, { [`${plugin}/plugin.json`]: manifest, "user/agent-tools.json": {} });
		const script = `
			import { Runtime } from ${JSON.stringify(new URL("../../bindings-node/index.js", import.meta.url))};
			const runtime = await Runtime.open({ packageRoot: process.cwd() + "/node_modules/host", pluginDirs: [] });
			const { plugins, warnings } = await runtime.status();
			console.log(JSON.stringify({ prefixes: plugins.map(({ prefix }) => prefix), warnings }));
			await runtime.close();`;
		const status = () => {
			const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
				cwd: path.join(root, "project"),
				encoding: "utf8",
				env: { ...process.env, AGENT_TOOLS_CONFIG_DIR: path.join(root, "user") },
			});
			return JSON.parse(stdout);
		};
		const { prefixes, warnings } = status();
		assert.deepEqual(prefixes, ["p"]);
		assert.match(
			warnings.join(),
			/the plugin p belongs to the project, so it is not believed when it says `requireConfirm: false`/,
		);
		const trusted = JSON.stringify({ projects: { trusted: [path.join(root, "project")] } });
		writeFileSync(path.join(root, "user/agent-tools.json"), trusted);
		assert.deepEqual(status(), { prefixes: ["p"], warnings: [] });
	});

	test("what a client keeps in a project is the project's, though the user's file imports it", (t) => {
		const server = { mcpServers: { shell: { command: "sh", args: ["-c", "exit"] } } };
		const root = folder(t, { "project/.mcp.json": server, "user/agent-tools.json": { import: ["claude-code"] } });
		assert.match(listed(root), /"sh" is none of the launchers/);
		const named = folder(t, {
			"project/x": 0,
			"user/other.json": server,
			"user/agent-tools.json": { import: ["./other.json"] },
		});
		assert.doesNotMatch(listed(named), /none of the launchers/);
	});

	test("the file that AGENT_TOOLS_CONFIG names is the user's choice", (t) => {
		const config = { mcpServers: { shell: { command: "sh", args: ["-c", "exit"] } } };
		const root = folder(t, { "project/agent-tools.json": config, "user/agent-tools.json": {} });
		assert.match(listed(root), /none of the launchers/);
		const named = listed(root, { AGENT_TOOLS_CONFIG: path.join(root, "project/agent-tools.json") });
		assert.doesNotMatch(named, /none of the launchers/);
	});

	test("a server that asks for its environment gets what is listed", async (t) => {
		process.env.ISOLATION_CANARY = "CANARY";
		process.env.NODE_OPTIONS = "--no-deprecation";
		t.after(() => {
			delete process.env.ISOLATION_CANARY;
			delete process.env.NODE_OPTIONS;
		});
		const { call } = await unruly(t, { env: { GIVEN: "1" } }, { sandbox: true });
		const { text } = await call("environment");
		// In the sandbox the environment of the host is out of reach, but for a privileged user.
		if (process.getuid?.() !== 0) assert.match(text, /EACCES/);
		const free = await unruly(t, { env: { GIVEN: "1" } });
		const { own } = JSON.parse((await free.call("environment")).text).result;
		assert.equal(own.GIVEN, "1");
		assert.equal(own.ISOLATION_CANARY, undefined);
		assert.equal(own.NODE_OPTIONS, undefined);
	});

	test("a server that allocates 4 GB is ended, and the runtime goes on", async (t) => {
		const { runtime, call } = await unruly(t, {}, { limits: { memoryMb: 512 } });
		const { text, isError } = await call("allocate", { mb: 4096 });
		assert.equal(isError, true);
		assert.match(text, /used \d+ MB of memory, and `limits\.memoryMb` allows 512/);
		// What has ended soon after its start is given a pause.
		let small = await call("allocate", { mb: 64 });
		for (let pause = pauseOf(small); pause; pause = pauseOf(small)) {
			await sleep(pause);
			small = await call("allocate", { mb: 64 });
		}
		assert.equal(small.isError, false, small.text);
		assert.equal((await runtime.status()).plugins[0].state, "ready");
	});

	test("a server in a sandbox writes where it may and opens no connection", async (t) => {
		const root = folder(t, { "home/x": 0, "out/x": 0 });
		const listener = createServer().listen(0, "127.0.0.1");
		t.after(() => listener.close());
		await once(listener, "listening");
		const { port } = /** @type {import("node:net").AddressInfo} */ (listener.address());
		const home = { dir: path.join(root, "home") };
		const sandbox = { files: { read: [SERVER], write: ["../out"] }, network: false };
		const { runtime, call } = await unruly(t, {}, { ...home, sandbox });
		const missing = (await runtime.status()).warnings.find((/** @type {string} */ warning) =>
			/no sandbox/.test(warning),
		);
		if (missing) return t.skip(missing);
		assert.equal((await call("write", { path: path.join(root, "out/file") })).isError, false);
		for (const place of ["home/file", "file"]) {
			const { text, isError } = await call("write", { path: path.join(root, place) });
			assert.equal(isError, true);
			assert.match(text, /EACCES/);
			assert.equal(existsSync(path.join(root, place)), false);
		}
		const { text, isError } = await call("connect", { port });
		assert.equal(isError, true, text);

		const free = await unruly(t, {}, home);
		assert.equal((await free.call("connect", { port })).isError, false);
		assert.equal((await free.call("write", { path: path.join(root, "file") })).isError, false);
	});

	test("a plugin without a program has no sandbox, and says so instead of having none silently", async (t) => {
		const plugin = { prefix: "u", mcp: { url: "http://127.0.0.1:1/mcp" }, sandbox: "required" };
		const runtime = await Runtime.open({ packageRoot: null, pluginDirs: [], config: false, plugins: [plugin] });
		t.after(() => runtime.close());
		assert.match((await runtime.status()).warnings.join("\n"), /`limits` and `sandbox` are for programs/);
	});

	test("what has daemonised is gone when the host is killed", async (t) => {
		const marker = randomUUID();
		t.after(() => killMarked(marker));
		const config = { mcpServers: { u: { command: process.execPath, args: [SERVER], env: { [MARKER]: marker } } } };
		const root = folder(t, { "agent-tools.json": config });
		const host = spawn(process.execPath, [COMMAND, "mcp", "--view", "unified"], {
			env: { ...process.env, AGENT_TOOLS_CONFIG: path.join(root, "agent-tools.json") },
			stdio: ["pipe", "pipe", "inherit"],
		});
		t.after(() => host.kill("SIGKILL"));
		const write = (/** @type {object} */ message) =>
			host.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
		const clientInfo = { name: "test", version: "0" };
		write({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
		await once(host.stdout, "data");
		write({ method: "notifications/initialized" });
		const args = { plugin: "u", toolName: "daemonise", arguments: {} };
		write({ id: 1, method: "tools/call", params: { name: "agent_tools_call", arguments: args } });
		await once(host.stdout, "data");
		const daemons = () => markedProcesses(marker).filter(({ command }) => /^sleep 300/.test(command));
		// It is a copy of the shell until it has become the program.
		await until("daemon", () => daemons().length === 1);
		host.kill("SIGKILL");
		await once(host, "exit");
		assert.deepEqual(await leftAfter(marker, 5000), []);
	});
});
