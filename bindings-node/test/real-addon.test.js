// The seams between this package and the native core, with the real addon.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Runtime } from "../index.js";
import { native } from "../lib/native.js";
import { FIXTURES, GOOD, hasEnded, isAlive, until } from "./open-host.js";

const skip = hasAddon() ? false : "the addon is not built; run `npm run build`";

const good = {
	...GOOD,
	prefix: "good",
	requireConfirm: false,
	skills: ["./skills/look.mjs", "./skills/relay.mjs", "./skills/broken.mjs", "./skills/staged.mjs"],
};

/**
 * @param {import("node:test").TestContext} t
 * @param {import("../index.js").RuntimeOptions} [options]
 */
async function open(t, options) {
	const runtime = await Runtime.open({ pluginDirs: [], packageRoot: FIXTURES, plugins: [good], ...options });
	t.after(() => runtime.close());
	return runtime;
}

/** @param {import("../index.js").ToolReply} reply */
const payload = (reply) => JSON.parse(String(/** @type {{text: string}} */ (reply.content[0]).text));

test("a JavaScript plugin answers through the core", { skip }, async (t) => {
	const runtime = await open(t);
	const { receipt, ...echoed } = payload(await runtime.call("good", "echo", { a: 1 }));
	assert.deepEqual(echoed, { isError: false, result: { a: 1 } });
	assert.equal(receipt.tool, "good:echo");
	const failed = payload(await runtime.call("good", "fail"));
	assert.deepEqual([failed.code, failed.error, failed.hint], ["TOOL_FAILED", "no such issue", "List them first."]);
	assert.equal(payload(await runtime.call("good", "circular")).hostCode, "RESULT_NOT_JSON");
	assert.equal(payload(await runtime.runSkill("good", "constructor")).code, "UNKNOWN_SKILL");
	assert.match(JSON.stringify(payload(await runtime.runSkill("good", "broken"))), /this skill is broken/);
});

test("odd progress, foreign messages and half an emoji harm nothing", { skip }, async (t) => {
	const runtime = await open(t);
	/** @type {import("../index.js").Progress[]} */
	const reports = [];
	const options = { onProgress: (/** @type {import("../index.js").Progress} */ report) => void reports.push(report) };
	assert.equal(payload(await runtime.call("good", "odd_progress", {}, options)).isError, false);
	await until(() => reports.length === 3);
	assert.deepEqual(reports[1], { progress: 2, message: "half way" });
	assert.equal(payload(await runtime.call("good", "post_to_parent", { message: null })).isError, false);
	assert.deepEqual(payload(await runtime.call("good", "half_emoji")).result, { "key \ufffd": "party \ufffd" });
	assert.equal(payload(await runtime.call("good", "throw_half_emoji")).error, "party \ufffd");
	const { result } = payload(await runtime.call("good", "echo", { text: "🎉".slice(1) }));
	assert.deepEqual(result, { text: "\ufffd" });
});

test("a skill's calls pass the core's checks", { skip }, async (t) => {
	const runtime = await open(t);
	const relayed = payload(await runtime.runSkill("good", "relay", { tool: "echo", args: { a: 1 } }));
	assert.equal(relayed.result.content[0].text, '{"a":1}');
	const refused = payload(await runtime.runSkill("good", "relay", { tool: "no_such_tool" }));
	assert.deepEqual([refused.name, refused.code], ["AgentToolsError", "UNKNOWN_TOOL"]);
});

test("a skill says how far it had come when it failed", { skip }, async (t) => {
	const runtime = await open(t);
	const { code, error, hostCode, stage, hint } = payload(await runtime.runSkill("good", "staged"));
	assert.deepEqual(
		{ code, error, hostCode, stage, hint },
		{
			code: "SKILL_FAILED",
			error: "the order is not there",
			hostCode: "NOT_FOUND",
			stage: "reading back",
			hint: "Wait a minute.",
		},
	);
});

test("an object of this program is a plugin", { skip }, async (t) => {
	const shop = {
		listTools: () => [{ name: "stock", inputSchema: { type: "object", properties: { id: { type: "integer" } } } }],
		call: async (/** @type {string} */ tool, /** @type {unknown} */ args) => ({
			content: [{ type: "text", text: JSON.stringify({ tool, args }) }],
		}),
	};
	const runtime = await open(t, {
		plugins: [],
		adapters: [{ prefix: "shop", adapter: shop, readonlyTools: ["stock"] }],
	});
	const { result } = payload(await runtime.call("shop", "stock", { id: 7 }));
	assert.deepEqual(result, { tool: "stock", args: { id: 7 } });
});

test("an aborted call rejects, also one that nobody answers", { skip }, async (t) => {
	const runtime = await open(t);
	for (const tool of ["until_cancelled", "loop"]) {
		const signal = AbortSignal.timeout(200);
		await assert.rejects(runtime.call("good", tool, {}, { signal }), { name: "AgentToolsError", code: "CANCELLED" });
	}
});

test("progress reaches the caller and keeps the deadline from passing", { skip }, async (t) => {
	const slow = {
		listTools: () => [{ name: "steps", annotations: { readOnlyHint: true }, inputSchema: { type: "object" } }],
		/** @type {import("../index.js").Adapter["call"]} */
		call: async (_tool, _args, options) => {
			for (let step = 1; step <= 6; step++) {
				await new Promise((resolve) => setTimeout(resolve, 100));
				options?.progress({ progress: step, total: 6, message: `step ${step}` });
			}
			return { content: [{ type: "text", text: "done" }] };
		},
	};
	const runtime = await open(t, { adapters: { slow }, plugins: [], deadlines: { callMs: 400 } });
	/** @type {import("../index.js").Progress[]} */
	const reports = [];
	const reply = await runtime.call("slow", "steps", {}, { onProgress: (report) => reports.push(report) });
	assert.deepEqual(payload(reply).result, { raw: "done" });
	assert.deepEqual(reports.at(-1), { progress: 6, total: 6, message: "step 6" });

	const silent = { ...slow, call: () => new Promise(() => {}) };
	const impatient = await open(t, { adapters: { silent }, plugins: [], deadlines: { callMs: 100 } });
	assert.equal(payload(await impatient.call("silent", "steps")).code, "TIMEOUT");
});

test("a failing call that is repeated is refused, for its session alone", { skip }, async (t) => {
	const runtime = await open(t);
	const codes = [];
	for (let i = 0; i < 6; i++) codes.push(payload(await runtime.call("good", "no_such", {}, { session: "a" })).code);
	assert.deepEqual(codes.slice(3), ["UNKNOWN_TOOL", "REPEATED_FAILURE", "REPEATED_FAILURE"]);
	assert.equal(payload(await runtime.call("good", "no_such", {}, { session: "b" })).code, "UNKNOWN_TOOL");
});

test("a plugin that crashed answers the next call", { skip }, async (t) => {
	const runtime = await open(t);
	assert.match(JSON.stringify(payload(await runtime.call("good", "exit"))), /exit code 3/);
	assert.equal(payload(await runtime.call("good", "echo")).isError, false);
});

for (const way of /** @type {const} */ (["close", "closeNow"])) {
	test(`${way} leaves no process of a plugin`, { skip }, async (t) => {
		const runtime = await open(t);
		const pid = payload(await runtime.call("good", "spawn_shell")).result;
		assert.ok(isAlive(pid));
		await runtime[way]();
		await until(() => hasEnded(pid));
		await assert.rejects(runtime.call("good", "echo"), { code: "CLOSED" });
	});
}

test("unknown names and options are rejected with a code", { skip }, async (t) => {
	const runtime = await open(t);
	await assert.rejects(runtime.callTool("nonsense"), { name: "AgentToolsError", code: "UNKNOWN_FACADE_TOOL" });
	const wrong = /** @type {import("../index.js").RuntimeOptions} */ ({ nonsense: true });
	await assert.rejects(Runtime.open(wrong), { name: "AgentToolsError", code: "CONFIG_INVALID" });
});

test("a program that closes nothing ends by itself", { skip }, async () => {
	const script = `
		import { Runtime } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
		const runtime = await Runtime.open(${JSON.stringify({ pluginDirs: [], packageRoot: FIXTURES, plugins: [good] })});
		const reply = await runtime.call("good", "spawn");
		console.log(JSON.parse(reply.content[0].text).result);`;
	const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
		timeout: 10_000,
	});
	await until(() => !isAlive(Number(stdout)));
});

test("what a plugin writes is shown without its secrets", { skip }, async () => {
	const plugins = [{ ...good, env: { API_KEY: "canary-of-the-key" } }];
	const script = `
		import { Runtime } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
		const runtime = await Runtime.open(${JSON.stringify({ pluginDirs: [], packageRoot: FIXTURES, plugins })});
		await runtime.call("good", "print_key");
		await runtime.close();`;
	const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
	assert.match(stderr, /\[plugin good\] with the key <redacted>/);
	assert.doesNotMatch(stderr, /canary/);
});

test("what a plugin prints stays out of the MCP stream", { skip }, async () => {
	const bin = fileURLToPath(new URL("../bin/agent-tools-runtime.js", import.meta.url));
	const run = promisify(execFile)(process.execPath, [bin, "mcp", "--plugins-dir", path.join(FIXTURES, "noisy")], {
		timeout: 10_000,
	});
	const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
	for (const [id, method, params] of /** @type {const} */ ([
		[1, "initialize", initialize],
		[undefined, "notifications/initialized", undefined],
		[2, "tools/call", { name: "agent_tools_noisy_call", arguments: { toolName: "shout" } }],
	])) {
		run.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
	}
	run.child.stdout?.on("data", (text) => String(text).includes('"id":2') && run.child.stdin?.end());
	const { stdout, stderr } = await run;
	for (const line of stdout.trim().split("\n")) assert.equal(JSON.parse(line).jsonrpc, "2.0");
	assert.match(stdout, /shouted/);
	assert.match(stderr, /\[plugin noisy\] while loading/);
	assert.match(stderr, /\[plugin noisy\] while calling/);
	assert.match(stderr, /straight to the descriptor/);
	assert.match(stderr, /from an inheriting child/);
});

function hasAddon() {
	try {
		return Boolean(native());
	} catch {
		return false;
	}
}
