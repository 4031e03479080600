// What a server's stdout and stderr may carry, and what the runtime's own stdout may not.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { eachLine } from "../harness/lines.js";
import { CLI } from "../harness/paths.js";
import { INITIALIZED, initialize, request } from "../harness/protocol.js";
import { StdioSession } from "../harness/stdio-session.js";
import { PiRun } from "../pi/pi-run.js";
import { environment } from "./doors.js";
import { makePlugin } from "./plugin.js";
import { until } from "./raw-doors.js";
import { inputOf } from "./run-case.js";
import { call, resultOf, stdioCase } from "./stdio-case.js";

const LIMIT = { timeout: 120_000 };

/**
 * The runtime over stdio, with what it writes to its log.
 *
 * @param {import("node:test").TestContext} t
 * @param {import("./plugin.js").Plugin} plugin
 * @param {string} level
 */
async function openLogging(t, plugin, level) {
	const env = { ...environment(plugin), AGENT_TOOLS_LOG: level };
	const session = new StdioSession("legacy", process.execPath, [CLI, "mcp"], { env });
	t.after(async () => {
		session.child.kill();
		await session.ended;
	});
	await session.open();
	const ask = async (name, args) => (await session.request("tools/call", { name, arguments: args })).result;
	return {
		session,
		discover: () => ask("agent_tools_x_discover", {}),
		call: (toolName) => ask("agent_tools_x_call", { toolName, arguments: {} }),
		/** The lines of the log that hold the text. */
		logged: (text) => session.stderr.split("\n").filter((line) => line.includes(text)),
	};
}

stdioCase("C044", ({ answers: [found, called] }) => {
	assert.deepEqual(
		found.found.matches.map(({ name }) => name),
		["t"],
	);
	assert.equal(resultOf(called), "ok");
	for (const { text } of [found, called]) assert.doesNotMatch(text, /Fake MCP Server|Fetching/);
});

test("C044 each stray line is a warning of its plugin, once; of very many only some", LIMIT, async (t) => {
	const { steps, tools } = inputOf("C044");
	const plugin = makePlugin(t, { scenario: { steps, tools } });
	const { discover, call, logged } = await openLogging(t, plugin, "warn");
	assert.equal((await discover()).isError ?? false, false);
	assert.equal((await call("t")).isError ?? false, false);
	for (const line of ["Fake MCP Server v1.2 running on stdio", "Fetching [1/3]..."]) {
		const lines = logged(line);
		assert.equal(lines.length, 1, line);
		assert.match(lines[0], /WARN.*plugin="x"/);
	}

	const flood = [{ at: "start", do: [{ out_repeat: ["stray line\n", 5000] }] }];
	const flooding = await openLogging(t, makePlugin(t, { scenario: { tools, steps: flood } }), "warn");
	assert.equal((await flooding.call("t")).isError ?? false, false);
	const lines = flooding.logged("stray line").length;
	assert.ok(lines >= 1 && lines <= 20, `${lines} lines`);
});

test("C046 nothing but messages reaches the facade's stdout; what a plugin prints is on stderr", LIMIT, async (t) => {
	const { plugin_files: files } = inputOf("C046");
	const root = mkdtempSync(path.join(tmpdir(), "agent-tools-case-"));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	const talkative = `
		import { spawnSync } from "node:child_process";
		import { writeSync } from "node:fs";
		export default class {
			listTools() { return { tools: [{ name: "talk", inputSchema: { type: "object" } }] }; }
			call() {
				console.log("said in a call");
				process.stdout.write("written in a call\\n");
				spawnSync(process.execPath, ["-e", "console.log('said by a child')"], { stdio: "inherit" });
				return { content: [{ type: "text", text: "talked" }] };
			}
		}`;
	for (const [name, adapter] of [
		["prints", files["adapter.mjs"]],
		["talks", talkative],
	]) {
		const folder = path.join(root, `agent-tools-plugin-${name}`);
		mkdirSync(folder);
		writeFileSync(path.join(folder, "adapter.mjs"), adapter);
		const manifest = { name, prefix: name, adapter: "./adapter.mjs", requireConfirm: false };
		writeFileSync(path.join(folder, "plugin.json"), JSON.stringify(manifest));
	}

	const child = spawn(process.execPath, [CLI, "mcp"], {
		env: { ...process.env, AGENT_TOOLS_PLUGINS_DIR: root },
		stdio: ["pipe", "pipe", "pipe"],
	});
	t.after(() => child.kill());
	const ended = once(child, "exit");
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text) => {
		stderr += text;
	});
	/** @type {string[]} */
	const lines = [];
	eachLine(child.stdout, (line) => lines.push(line));
	const facade = (id, tool, args = {}) => request("legacy", id, "tools/call", { name: tool, arguments: args });
	const messages = [
		initialize(),
		INITIALIZED,
		request("legacy", 1, "tools/list"),
		facade(2, "agent_tools_prints_discover"),
		facade(3, "agent_tools_talks_call", { toolName: "talk", arguments: {} }),
	];
	for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
	await until(() => lines.length === 4);
	child.stdin.end();
	await ended;
	assert.equal(lines.length, 4);
	const answers = lines.map((line) => JSON.parse(line));
	assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3, "initialize"]);
	for (const answer of answers) assert.equal(answer.result?.isError ?? false, false, JSON.stringify(answer));
	for (const [said, prefix] of [
		["loading", "prints"],
		["said in a call", "talks"],
		["written in a call", "talks"],
		["said by a child", undefined],
	]) {
		const line = stderr.split("\n").find((line) => line.includes(said));
		assert.ok(line !== undefined, `${said} is not in ${stderr}`);
		if (prefix) assert.ok(line.includes(prefix), line);
	}
});

const SIZES = [65_536, 65_537, 8193, 4 * 1024 * 1024, 6 * 1024 * 1024];
for (const size of SIZES) {
	const [step] = inputOf("C050").steps;
	stdioCase(
		"C050",
		({ answers }) => {
			for (const answer of answers) assert.match(resultOf(answer).head, /^x{1000}/);
		},
		{
			name: `${size} bytes at once`,
			doors: size === SIZES[0] ? undefined : ["in process"],
			scenario: { steps: [{ ...step, do: [{ ...step.do[0], bytes_per_chunk: size }] }] },
		},
	);
}

stdioCase("C052", ({ answers: [found, called] }) => {
	assert.equal(found.found.matches.length, 1);
	assert.equal(resultOf(called), "ok");
});

stdioCase(
	"C052",
	({ answers: [{ failure, text }] }) => {
		assert.match(failure.error, /no token, as the last line says/);
		// The end alone, of bounded length.
		assert.ok(text.length < 16_000, `${text.length} characters`);
		assert.ok((text.match(/log line/g) ?? []).length < 50, text);
	},
	{
		name: "the end of stderr explains a crash",
		client: [{ op: "discover" }],
		scenario: {
			steps: [
				{
					at: "start",
					do: [...inputOf("C052").steps[0].do, { err: "no token, as the last line says\n" }, { exit: 1 }],
				},
			],
		},
	},
);

/** As in the case: a server that writes a line to stderr each 10 ms. */
const LOGGING = {
	tools: [{ name: "t", description: "test tool" }],
	steps: [{ at: "start", do: [{ err_every_ms: 10, line: "noise of the server" }] }],
};
const PI_TURNS = [
	{ tool_calls: [{ name: "agent_tools_x_call", arguments: { toolName: "t", arguments: {} } }] },
	{ text: "done" },
];

test("C054 Pi: nothing that a server writes to stderr reaches the terminal", LIMIT, async (t) => {
	const plugin = makePlugin(t, { scenario: LOGGING });
	const env = { AGENT_TOOLS_PLUGINS_DIR: plugin.folder };
	const { run, exit } = await PiRun.once(t, { env, turns: PI_TURNS });
	assert.equal(exit.code, 0, run.child.output);
	assert.equal(run.answer, "done");
	assert.equal(plugin.sent("tools/call").length, 1);
	assert.doesNotMatch(run.child.stdout + run.child.stderr, /noise of the server/);
});

test("C054 Pi: AGENT_TOOLS_LOG shows the lines with plugin and level, and off hides them", LIMIT, async (t) => {
	for (const [level, shown] of /** @type {const} */ ([
		["debug", true],
		["warn", false],
		["off", false],
	])) {
		const plugin = makePlugin(t, { scenario: LOGGING });
		const env = { AGENT_TOOLS_PLUGINS_DIR: plugin.folder, AGENT_TOOLS_LOG: level };
		const { run, exit } = await PiRun.once(t, { env, turns: PI_TURNS });
		assert.equal(exit.code, 0, run.child.output);
		const lines = run.child.stderr.split("\n").filter((line) => line.includes("noise of the server"));
		assert.equal(lines.length > 0, shown, level);
		for (const line of lines) assert.match(line, /DEBUG.*plugin="x"/);
		assert.doesNotMatch(run.child.stdout, /noise of the server/);
	}
});

stdioCase(
	"C056",
	async ({ door, answers: [first, second, , found] }) => {
		// The tool may change something: what became of it is not known.
		assert.equal(first.code, "OUTCOME_UNKNOWN", first.text);
		assert.match(first.failure.error, /did not answer within 0.3 s/);
		assert.equal(resultOf(second), "second");
		assert.equal(found.isError, false);
		assert.doesNotMatch(found.text, /late/);
		assert.equal(resultOf(await call(door, "t")), "ok");
		assertNoIdTwice(door.plugin);
	},
	{ manifest: { timeoutMs: 300 } },
);

stdioCase(
	"C056",
	async ({ door, answers: [first] }) => {
		assert.equal(first.code, "TIMEOUT", first.text);
		assertNoIdTwice(door.plugin);
	},
	{ name: "a tool that only reads", manifest: { timeoutMs: 300, readonlyTools: ["t"] } },
);

function assertNoIdTwice(plugin) {
	const ids = plugin
		.received()
		.filter(({ method, id }) => method && id !== undefined)
		.map(({ id }) => id);
	assert.equal(new Set(ids).size, ids.length, String(ids));
}

test("C056 a late reply is logged at debug", LIMIT, async (t) => {
	const { steps, tools } = inputOf("C056");
	const plugin = makePlugin(t, { scenario: { steps, tools }, manifest: { timeoutMs: 300 } });
	const { call, session } = await openLogging(t, plugin, "debug");
	assert.equal((await call("t")).isError, true);
	assert.match((await call("t")).content[0].text, /second/);
	await until(() => /DEBUG.*came late.*plugin="x"/.test(session.stderr));
});
