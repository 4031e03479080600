// Start, crash, environment and end of servers that are child processes.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Runtime } from "../../bindings-node/index.js";
import { eachLine } from "../harness/lines.js";
import { killMarked, leftAfter, MARKER, markedProcesses } from "../harness/marked-processes.js";
import { CLI } from "../harness/paths.js";
import { INITIALIZED, initialize, request } from "../harness/protocol.js";
import { StdioSession } from "../harness/stdio-session.js";
import { environment } from "./doors.js";
import { makePlugin } from "./plugin.js";
import { until } from "./raw-doors.js";
import { inputOf } from "./run-case.js";
import { resultOf, serversOf, stdioCase } from "./stdio-case.js";

const LIMIT = { timeout: 120_000 };
const GONE_WITHIN_MS = 2000;
const TOOL = { name: "t", description: "test tool", inputSchema: { type: "object", properties: {} } };

/** In a manifest: what the host's variable holds. @param {string} name */
function fromHost(name) {
	return `\${${name}}`;
}

async function open(t, ...plugins) {
	const pluginDirs = plugins.map(({ folder }) => folder);
	const runtime = await Runtime.open({ pluginDirs, packageRoot: pluginDirs[0] });
	t.after(() => runtime.close());
	return runtime;
}

/** What the model is told. @param {import("../../bindings-node/index.js").ToolReply} reply */
function textOf({ content }) {
	return content.map((part) => part.text ?? "").join("\n");
}

/** An MCP client of the runtime in its own process, with exactly this environment. */
async function openSession(t, plugin, env) {
	const session = new StdioSession("legacy", process.execPath, [CLI, "mcp"], {
		env: { PATH: process.env.PATH, AGENT_TOOLS_PLUGINS_DIR: plugin.folder, ...env },
	});
	t.after(async () => {
		session.child.kill();
		await session.ended;
	});
	await session.open();
	return session;
}

async function facade(session, verb, args) {
	const { result } = await session.request("tools/call", { name: `agent_tools_x_${verb}`, arguments: args });
	return result;
}

const CALL = { toolName: "t", arguments: {} };

test("C058 a command that is not there is named at once, with where it was looked for", LIMIT, async (t) => {
	const { files } = inputOf("C058");
	const { mcp } = JSON.parse(files["plugin.json"]);
	const missing = makePlugin(t, {
		scenario: {},
		manifest: { mcp: { ...mcp, env: { PATH: `/extra:${fromHost("PATH")}` } } },
	});
	const other = makePlugin(t, { scenario: { tools: [TOOL] }, manifest: { prefix: "other" } });
	const runtime = await open(t, missing, other);
	const began = Date.now();
	const answer = await runtime.discover("x");
	assert.ok(Date.now() - began < 5000);
	assert.equal(answer.isError, true);
	const { code, error, hint } = JSON.parse(textOf(answer));
	assert.equal(code, "PLUGIN_UNAVAILABLE");
	assert.match(error, /command not found: "no-such-cmd-zz"/);
	assert.ok(error.includes(`PATH=/extra:${process.env.PATH}`), error);
	assert.match(hint, /full path.*\$\{PATH\}/);
	assert.match(textOf(await runtime.call("other", "t")), /"ok"/);
	const [status] = (await runtime.status()).plugins;
	assert.equal(status.state, "failed");
	assert.match(status.reason ?? "", /command not found/);
});

test("C058 a working folder that is not there is named as such", LIMIT, async (t) => {
	const mcp = { command: process.execPath, cwd: fromHost("NOWHERE:-missing/folder") };
	const runtime = await open(t, makePlugin(t, { scenario: {}, manifest: { mcp } }));
	const text = textOf(await runtime.discover("x"));
	assert.match(text, /missing\/folder, which does not exist/);
	assert.match(text, /`cwd`/);
});

test("C060 a server gets the documented variables of the host, those it names, and no others", LIMIT, async (t) => {
	const { steps, tools, host_env: hostEnv } = inputOf("C060");
	const host = { ...hostEnv, LC_ALL: "C.UTF-8", TMPDIR: "/tmp", USER: "u", SHELL: "/bin/sh", TERM: "xterm" };
	const seen = async (env) => {
		const session = await openSession(t, makePluginWith(t, { steps, tools }, env), host);
		return JSON.parse(textOf(await facade(session, "call", CALL))).result;
	};
	const plain = await seen({});
	const { SECRET_TOKEN: secret, ...passed } = host;
	for (const [name, value] of Object.entries(passed)) assert.equal(plain[name], value, name);
	assert.equal(plain.PATH, process.env.PATH);
	assert.equal(plain.SECRET_TOKEN, undefined);
	assert.ok(!JSON.stringify(plain).includes(secret));
	assert.equal(plain.AGENT_TOOLS_PLUGINS_DIR, undefined);

	const named = await seen({
		SECRET_TOKEN: fromHost("SECRET_TOKEN"),
		API_KEY: `key-${fromHost("env:SECRET_TOKEN")}`,
		LANG: "de",
	});
	// It has them, and where it shows them they are taken out.
	assert.deepEqual(
		[named.SECRET_TOKEN, named.API_KEY, named.LANG, named.HOME],
		["<redacted>", "<redacted>", "de", hostEnv.HOME],
	);
});

/** A plugin whose server has these entries in `env`. */
function makePluginWith(t, scenario, env, manifest = {}) {
	const plugin = makePlugin(t, { scenario, manifest });
	plugin.change((manifest) => {
		manifest.mcp.env = env;
	});
	return plugin;
}

test("C062 the facade is there while a server takes its time, and the first call waits for it", LIMIT, async (t) => {
	const { steps, tools } = inputOf("C062");
	const runtime = await open(t, makePlugin(t, { scenario: { steps, tools } }));
	const began = Date.now();
	const called = runtime.call("x", "t");
	assert.ok((await runtime.tools()).some(({ name }) => name === "agent_tools_x_call"));
	assert.ok(Date.now() - began < 5000);
	const stateOf = async () => (await runtime.status()).plugins[0].state;
	await until(() => true);
	assert.equal(await stateOf(), "starting");
	assert.match(textOf(await called), /"ok"/);
	assert.equal(await stateOf(), "ready");
});

test("C062 startTimeoutMs is the plugin's own limit, and a start that failed is tried again", LIMIT, async (t) => {
	const slow = { steps: [{ at: "start", nth: 1, do: [{ sleep_ms: 60_000 }] }], tools: [TOOL], acrossStarts: true };
	const plugin = makePlugin(t, { scenario: slow, manifest: { startTimeoutMs: 700 } });
	const runtime = await open(t, plugin);
	const first = JSON.parse(textOf(await runtime.call("x", "t")));
	assert.equal(first.code, "PLUGIN_UNAVAILABLE");
	assert.match(first.error, /did not start.*0\.7 s/);
	assert.match(textOf(await runtime.call("x", "t")), /"ok"/);
	assert.equal(plugin.sent("start").length, 2);
});

stdioCase(
	"C064",
	async ({ door, answers: [first, second, third, fourth] }) => {
		const before = String(resultOf(first));
		// The call that the server's end cut off may have changed something.
		assert.equal(second.code, "OUTCOME_UNKNOWN", second.text);
		const after = String(resultOf(third));
		assert.notEqual(after, before);
		assert.equal(String(resultOf(fourth)), after);
		assert.deepEqual(
			serversOf(door).map(({ pid }) => String(pid)),
			[after],
		);
		assert.equal(door.plugin.sent("start").length, 2);
		// The tool list agrees.
		const found = await door.call("agent_tools_x_discover", {});
		assert.equal(found.found.matches.length, 1);
	},
	{ scenario: { acrossStarts: true } },
);

test("C064 status, tool list and reality agree after a crash", LIMIT, async (t) => {
	const { steps, tools } = inputOf("C064");
	const plugin = makePlugin(t, { scenario: { steps, tools, acrossStarts: true } });
	const runtime = await open(t, plugin);
	const state = async () => {
		const { plugins, children } = await runtime.status();
		const { state, running, tools } = plugins[0];
		return { state, running, tools, children, real: serversOf({ pid: process.pid, plugin }).length };
	};
	const up = { state: "ready", running: true, tools: 1, children: 1, real: 1 };
	await runtime.call("x", "t");
	assert.deepEqual(await state(), up);
	await runtime.call("x", "t");
	await until(() => serversOf({ pid: process.pid, plugin }).length === 0);
	const { running, real } = await state();
	assert.deepEqual({ running, real }, { running: false, real: 0 });
	await Promise.all([runtime.call("x", "t"), runtime.call("x", "t"), runtime.discover("x")]);
	assert.deepEqual(await state(), up);
});

test("C064 a server that ends at each start is started less and less, and its state says why", LIMIT, async (t) => {
	const steps = [{ at: "start", do: [{ err: "no token\n" }, { exit: 3 }] }];
	const plugin = makePlugin(t, { scenario: { steps, acrossStarts: true } });
	const runtime = await open(t, plugin);
	let last = "";
	for (let time = 0; time < 12; time++) last = textOf(await runtime.discover("x"));
	const starts = plugin.sent("start").length;
	assert.ok(starts >= 2 && starts <= 4, `${starts} starts`);
	const failure = JSON.parse(last);
	assert.equal(failure.code, "PLUGIN_UNAVAILABLE");
	assert.match(failure.error, /no token.*failed \d+ times in a row/s);
	const { plugins, children } = await runtime.status();
	assert.equal(plugins[0].state, "failed");
	assert.match(plugins[0].reason ?? "", /no token/);
	assert.equal(children, 0);
	assert.equal(serversOf({ pid: process.pid, plugin }).length, 0);
});

/** By this they are found, however they were re-parented. */
const MARKED = { [MARKER]: fromHost(MARKER) };

/** Three servers: one as they are, one that ends only by force, one with a process in a session of its own. */
function threeServers(t) {
	const steps = {
		a: [],
		b: [{ at: "start", do: [{ stubborn: true }] }],
		c: [{ at: "start", do: [{ detach: ["sleep", "300"] }, { stubborn: true }] }],
	};
	return Object.entries(steps).map(([prefix, steps]) => {
		return makePluginWith(t, { tools: [TOOL], steps }, MARKED, { prefix });
	});
}

/** The servers and the detached process, when all four run. */
async function allRun(marker) {
	const running = () =>
		markedProcesses(marker).filter(({ command }) => /fake-server\.mjs|^sleep 300/.test(command)).length;
	await until(() => running() === 4);
}

function marked(t) {
	const marker = randomUUID();
	t.after(() => killMarked(marker));
	return marker;
}

test("C066 a facade that is killed leaves none of its servers", LIMIT, async (t) => {
	const marker = marked(t);
	const folders = threeServers(t).map(({ folder }) => folder);
	const session = await openSession(
		t,
		{ folder: folders.join(path.delimiter) },
		{ ...process.env, AGENT_TOOLS_PLUGINS_DIR: folders.join(path.delimiter), [MARKER]: marker },
	);
	for (const prefix of ["a", "b", "c"]) {
		await session.request("tools/call", { name: `agent_tools_${prefix}_call`, arguments: CALL });
	}
	await allRun(marker);
	session.child.kill("SIGKILL");
	await session.ended;
	assert.deepEqual(await leftAfter(marker, GONE_WITHIN_MS), []);
});

test("C066 a node process that is killed leaves none of its servers", LIMIT, async (t) => {
	const marker = marked(t);
	const script = fileURLToPath(new URL("killed-host.mjs", import.meta.url));
	const folders = threeServers(t).map(({ folder }) => folder);
	const host = spawn(process.execPath, [script, ...folders], {
		env: { ...process.env, [MARKER]: marker },
		stdio: ["ignore", "pipe", "inherit"],
	});
	await once(host.stdout, "data");
	await allRun(marker);
	host.kill("SIGKILL");
	await once(host, "exit");
	assert.deepEqual(await leftAfter(marker, GONE_WITHIN_MS), []);
});

/** A facade over stdio that runs a call of ten minutes. `through` is what is started, if not the facade itself. */
async function busyFacade(t, through = [CLI, "mcp"]) {
	const marker = marked(t);
	const steps = [{ at: "tools/call", do: [{ sleep_ms: 600_000 }] }];
	const plugin = makePluginWith(t, { tools: [TOOL], steps }, MARKED);
	const child = spawn(process.execPath, through, {
		env: { ...environment(plugin), [MARKER]: marker },
		stdio: ["pipe", "pipe", "pipe"],
	});
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text) => {
		stderr += text;
	});
	child.stdin.on("error", () => {});
	const ended = once(child, "exit");
	let answered = false;
	eachLine(child.stdout, () => {
		answered = true;
	});
	const write = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
	write(initialize());
	await until(() => answered);
	write(INITIALIZED);
	write(request("legacy", 1, "tools/call", { name: "agent_tools_x_call", arguments: CALL }));
	await until(() => plugin.sent("tools/call").length === 1);
	return { child, ended, marker, plugin, write, stderr: () => stderr };
}

const ENDS_WITHIN_MS = inputOf("C068").within_ms;

async function assertEnds({ ended, marker, plugin, stderr }) {
	const late = new Promise((resolve) => setTimeout(resolve, ENDS_WITHIN_MS, ["still running"]).unref());
	const [code] = await Promise.race([ended, late]);
	assert.deepEqual(await leftAfter(marker, GONE_WITHIN_MS), []);
	assert.doesNotMatch(stderr(), /^\s+at |panicked|Error:/m);
	assert.equal(plugin.sent("notifications/cancelled").length, 1);
	return code;
}

test("C068 the end of stdin ends the facade, its server and the running call", LIMIT, async (t) => {
	const busy = await busyFacade(t);
	busy.child.stdin.end();
	assert.equal(await assertEnds(busy), 0);
});

test("C068 nobody who reads stdout ends the facade, its server and the running call", LIMIT, async (t) => {
	const busy = await busyFacade(t);
	busy.child.stdout.destroy();
	assert.notEqual(await assertEnds(busy), "still running");
});

test("C068 a client that is killed ends the facade, its server and the running call", LIMIT, async (t) => {
	const parent = fileURLToPath(new URL("killed-parent.mjs", import.meta.url));
	const busy = await busyFacade(t, [parent, CLI]);
	busy.child.kill("SIGKILL");
	assert.deepEqual(await leftAfter(busy.marker, ENDS_WITHIN_MS), []);
	await assertEnds(busy);
});

test("C072 a cache that npm cannot make: a fast failure, the end of stderr and a hint of its own", LIMIT, async (t) => {
	const { steps } = inputOf("C072");
	const plugin = makePlugin(t, { scenario: { steps, acrossStarts: true } });
	const session = await openSession(t, plugin, {});
	const began = Date.now();
	const failure = JSON.parse(textOf(await facade(session, "discover", {})));
	assert.ok(Date.now() - began < 10_000);
	assert.equal(failure.code, "PLUGIN_UNAVAILABLE");
	assert.match(failure.error, /exit status: 1.*npm error enoent.*mkdir '\/home\/sbx'/s);
	assert.match(failure.hint, /HOME.*cache/s);
	for (let time = 0; time < 10; time++) await facade(session, "discover", {});
	const starts = plugin.sent("start").length;
	assert.ok(starts <= 4, `${starts} starts`);

	const other = makePlugin(t, { scenario: { steps: [{ at: "start", do: [{ err: "no token\n" }, { exit: 1 }] }] } });
	const unrelated = JSON.parse(textOf(await facade(await openSession(t, other, {}), "discover", {})));
	assert.match(unrelated.error, /no token/);
	assert.doesNotMatch(unrelated.hint, /HOME|cache/);
});
