// Real programs as plugins, and what can go wrong with any of them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../../bindings-node/index.js";
import { leftAfter, MARKER, markedProcesses } from "../harness/marked-processes.js";
import { makeCliPlugin } from "./cli-plugin.js";

const CALL = "agent_tools_x_call";

/**
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof makeCliPlugin>[1]} content
 */
async function open(t, content) {
	const { folder } = makeCliPlugin(t, content);
	const runtime = await Runtime.open({ pluginDirs: [folder] });
	t.after(() => runtime.close());
	return runtime;
}

/** @param {Runtime} runtime */
async function call(runtime, toolName, args = {}, options = {}) {
	const reply = await runtime.callTool(CALL, { toolName, arguments: args, ...options.facade }, options);
	const text = /** @type {string} */ (reply.content[0].text);
	return { text, ...JSON.parse(text) };
}

describe("command-line programs", { timeout: 180_000 }, () => {
	test("the example of docs/cli.md works with the real git", async (t) => {
		const root = mkdtempSync(path.join(tmpdir(), "agent-tools-git-"));
		t.after(() => rmSync(root, { recursive: true, force: true }));
		const git = (...args) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
		git("init", "--quiet");
		git("config", "user.email", "a@example.com");
		git("config", "user.name", "a");
		const runtime = await open(t, { cli: documented(), manifest: { requireConfirm: true } });
		const repository = root;

		writeFileSync(path.join(root, "a.txt"), "Hello\n");
		git("add", ".");
		const message = "A first commit\n\n-m is no option here; $(id) and `id` neither";
		const refused = await call(runtime, "commit", { repository, message });
		assert.equal(refused.code, "CONFIRM_REQUIRED");
		const committed = await call(runtime, "commit", { repository, message }, { facade: { confirm: true } });
		assert.equal(committed.isError, false, committed.text);
		assert.equal(git("log", "--format=%B").trim(), message);

		const log = await call(runtime, "log", { repository, count: 1, path: "a.txt" });
		assert.match(log.result.stdout, /^[0-9a-f]{7,} A first commit\n$/);
		const elsewhere = await call(runtime, "log", { repository, path: "b.txt" });
		assert.deepEqual(elsewhere.result, { exitCode: 0, stdout: "", stderr: "" });
		const found = await call(runtime, "grep", { repository, pattern: "hello", ignoreCase: true });
		assert.equal(found.result.stdout, "a.txt:1:Hello\n");
		const none = await call(runtime, "grep", { repository, pattern: "hello" });
		assert.deepEqual(none.result, { exitCode: 1, meaning: "no match", stdout: "", stderr: "" });
		const wrong = await call(runtime, "log", { repository: path.join(root, "none") });
		assert.equal(wrong.code, "TOOL_FAILED");
		assert.match(wrong.result.stderr, /cannot change to/);
	});

	test("discover shows the tools with what they take", async (t) => {
		const runtime = await open(t, { cli: documented() });
		const reply = await runtime.callTool("agent_tools_x_discover", { query: "list commits" });
		const [match] = reply._meta["agent-tools/discover"].matches;
		assert.equal(match.name, "log");
		assert.equal(match.arguments, "{ repository?: string, count?: integer, author?: string, path?: string }");
		const flat = await runtime.tools({ kind: "flat", plugin: "x" });
		const log = flat.find(({ name }) => name === "log");
		assert.equal(log.annotations.readOnlyHint, true);
		assert.deepEqual(log.inputSchema.properties.count, { type: "integer", default: 20 });
	});

	test("a wrong argument never reaches the program", async (t) => {
		const runtime = await open(t, { cli: documented() });
		for (const args of [{ count: "many" }, { other: 1 }, { path: 5, count: {} }]) {
			const reply = await call(runtime, "log", args, { session: JSON.stringify(args) });
			assert.equal(reply.code, "ARG_VALIDATION_FAILED", reply.text);
		}
	});

	test("a skill that is a module runs programs the same way", async (t) => {
		const plugin = makeCliPlugin(t, {
			cli: { command: "sort", stdin: { param: "lines", type: "array" }, readOnly: true },
			manifest: { skills: ["./sorted.mjs"], readonlySkills: ["sorted"] },
		});
		writeFileSync(
			path.join(plugin.folder, "sorted.mjs"),
			`export async function run(adapter, { lines }) {
				const { structuredContent } = await adapter.call("run", { lines });
				return { sorted: structuredContent.stdout };
			}\nexport const description = "Sorts.";\n`,
		);
		const runtime = await Runtime.open({ pluginDirs: [plugin.folder] });
		t.after(() => runtime.close());
		const skillCall = { skill: "sorted", arguments: { lines: ["b", "-r", "a"] } };
		const reply = await runtime.callTool("agent_tools_x_run_skill", skillCall);
		assert.equal(JSON.parse(reply.content[0].text).sorted, "-r\na\nb\n", reply.content[0].text);
	});

	test("a gigabyte of output fills no memory, and its ends are there", async (t) => {
		const cli = {
			command: "sh",
			args: ["-c", "yes 0123456789 | head -c 1000000000; echo; echo last"],
			maxOutputBytes: 20_000,
		};
		const runtime = await open(t, { cli });
		const before = process.memoryUsage.rss();
		const reply = await call(runtime, "run");
		assert.ok(process.memoryUsage.rss() - before < 200e6);
		assert.equal(reply.isError, false, reply.text.slice(0, 500));
		assert.match(reply.result.stdout, /^0123456789\n/);
		assert.match(reply.result.stdout, /last\n$/);
		assert.match(reply.notes.join(), /stdout had 1000000006 bytes/);
	});

	test("a long text is cut by itself and read on in line by line", async (t) => {
		const cli = { command: "seq", args: ["20000"], readOnly: true };
		const runtime = await open(t, { cli });
		const { result } = await call(runtime, "run");
		assert.equal(result.exitCode, 0);
		assert.equal(result.stdout.cut, true);
		assert.match(result.stdout.head, /^1\n2\n3\n/);
		assert.match(result.stdout.tail, /\n20000\n$/);
		const id = /"id":"(\w+)"/.exec(result.stdout.readMore)?.[1];
		const page = await call(runtime, "read_more", { id, page: 2 });
		assert.ok(/^2001\n2002\n/.test(page.text), page.text.slice(0, 100));
	});

	test("a change that ran too long is an unknown outcome, with what it wrote", async (t) => {
		const cli = { command: "sh", args: ["-c", "echo begun; exec sleep 60"], timeoutMs: 500 };
		const runtime = await open(t, { cli });
		const reply = await call(runtime, "run");
		assert.equal(reply.code, "OUTCOME_UNKNOWN", reply.text);
		assert.equal(reply.stdout, "begun\n");
		assert.match(reply.error, /0\.5 s \(setting timeoutMs\)/);
	});

	for (const [name, end] of /** @type {const} */ ([
		["a cancelled call", (_, abort) => abort.abort()],
		["a closed runtime", (runtime) => runtime.close()],
	])) {
		test(`${name} ends the program and all it started`, async (t) => {
			const marker = `cli-${process.pid}-${name}`;
			const script = "trap '' TERM; (setsid sleep 60 &); sleep 60 & while :; do sleep 1; done";
			const runtime = await open(t, { cli: { command: "sh", args: ["-c", script] }, env: { [MARKER]: marker } });
			const abort = new AbortController();
			const running = call(runtime, "run", {}, { signal: abort.signal }).catch((error) => error);
			while (markedProcesses(marker).length < 4) await sleep(20);
			await end(runtime, abort);
			await running;
			assert.deepEqual(await leftAfter(marker, 10_000), []);
		});
	}

	test("a daemon outlives its call, but not the runtime", async (t) => {
		const marker = `cli-${process.pid}-daemon`;
		const cli = { command: "sh", args: ["-c", "setsid sleep 60 & echo ok"] };
		const runtime = await open(t, { cli, env: { [MARKER]: marker } });
		const reply = await call(runtime, "run");
		assert.equal(reply.result.stdout, "ok\n");
		assert.deepEqual(
			markedProcesses(marker).map(({ command }) => command),
			["sleep 60"],
		);
		await runtime.close();
		assert.deepEqual(await leftAfter(marker, 10_000), []);
	});

	test("what is missing is named: the program, the interpreter, the working folder", async (t) => {
		const began = Date.now();
		const bin = { script: "#!/no/such/interpreter\n" };
		const tools = { run: {} };
		const missing = await open(t, { cli: { command: "no-such-program-x", tools } });
		const program = await call(missing, "run");
		assert.equal(program.code, "PLUGIN_UNAVAILABLE");
		assert.match(program.error, /^command not found: "no-such-program-x"/);
		assert.match(program.error, /PATH=.*\/bin/);
		assert.match(program.hint, /^Install it/);

		const interpreter = await call(await open(t, { cli: { command: "./bin/script" }, bin }), "run");
		assert.match(interpreter.hint, /The interpreter in the first line of the file \(#!…\) is missing/);

		const cwd = await call(await open(t, { cli: { command: "true", cwd: "./gone" } }), "run");
		assert.match(cwd.error, /cannot be started in the folder .*gone, which does not exist/);
		assert.match(cwd.hint, /`cwd`/);
		assert.ok(Date.now() - began < 30_000);
	});

	test("an argument that the system cannot take is an argument's fault", async (t) => {
		const runtime = await open(t, { cli: { command: "echo", args: [{ param: "v" }] } });
		const reply = await call(runtime, "run", { v: "x".repeat(3_000_000) });
		assert.equal(reply.code, "ARG_VALIDATION_FAILED", reply.text.slice(0, 300));
		assert.match(reply.error, /longer than the system can hand to echo; nothing was run/);
	});

	test("a missing working folder of an MCP server is named as well", async (t) => {
		const manifest = { cli: undefined, mcp: { command: process.execPath, cwd: "./gone" } };
		const runtime = await open(t, { cli: {}, manifest });
		const reply = await call(runtime, "any");
		assert.equal(reply.code, "CONFIG_INVALID");
		assert.match(reply.error, /cannot be started in the folder .*gone, which does not exist/);
	});

	test("the program sees no secret of the host, and runs where the host does", async (t) => {
		process.env.CLI_TEST_SECRET = "s3cret";
		t.after(() => delete process.env.CLI_TEST_SECRET);
		const cli = {
			command: "sh",
			tools: {
				env: { args: ["-c", "env; pwd"] },
				// biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a manifest
				given: { args: ["-c", "echo $GIVEN; pwd"], env: { GIVEN: "${CLI_TEST_SECRET}" }, cwd: "." },
			},
		};
		const plugin = makeCliPlugin(t, { cli });
		const runtime = await Runtime.open({ pluginDirs: [plugin.folder] });
		t.after(() => runtime.close());
		const { stdout } = (await call(runtime, "env")).result;
		assert.doesNotMatch(stdout, /s3cret/);
		assert.match(stdout, /^TERM=dumb$/m);
		assert.ok(stdout.endsWith(`${process.cwd()}\n`), stdout);
		// What is shown of it is without the secret.
		assert.equal((await call(runtime, "given")).result.stdout, `<redacted>\n${plugin.folder}\n`);
	});

	test("a kept file is gone when the runtime is closed", async (t) => {
		const runtime = await open(t, { cli: { command: "head", args: ["-c", "100", "/dev/zero"] } });
		const { file } = (await call(runtime, "run")).result.stdout;
		assert.ok(existsSync(file));
		await runtime.close();
		assert.equal(existsSync(file), false);
	});
});

/** The settings of the example that docs/cli.md shows. */
function documented() {
	const page = new URL("../../docs/cli.md", import.meta.url);
	const [, example] = /```json\n([\s\S]*?)```/.exec(readFileSync(page, "utf8")) ?? [];
	return JSON.parse(example).extensions["dev.agent-tools-runtime"].cli;
}
