import assert from "node:assert/strict";
import { test } from "node:test";
import { GOOD, openHost, until } from "./open-host.js";

/** @param {import("node:test").TestContext} t */
async function opened(t) {
	const host = openHost(t);
	assert.ok((await host.dispatch("open", GOOD)).ok);
	return host;
}

test("tools are listed, described and called", async (t) => {
	const { dispatch, call } = await opened(t);
	assert.equal((await dispatch("listTools")).ok.tools[0].name, "echo");
	assert.equal((await dispatch("describe", { tool: "echo" })).ok.name, "echo");
	assert.deepEqual((await dispatch("discoverContext")).ok, { secret: "kept" });
	assert.deepEqual((await call("echo", { a: 1 })).ok, { content: [{ type: "text", text: '{"a":1}' }] });
});

test("calls run side by side", async (t) => {
	const { call } = await opened(t);
	/** @type {number[]} */
	const ended = [];
	await Promise.all(
		[400, 200, 10].map(async (ms) => {
			const { ok } = await call("wait", { ms });
			assert.equal(ok.content[0].text, String(ms));
			ended.push(ms);
		}),
	);
	assert.deepEqual(ended, [10, 200, 400]);
});

test("what is not JSON is a clean error, and undefined is null", async (t) => {
	const { call } = await opened(t);
	for (const tool of ["circular", "bigint"]) {
		const { err } = await call(tool);
		assert.equal(err?.code, "RESULT_NOT_JSON");
		assert.match(err?.hint ?? "", /plain values/);
	}
	assert.deepEqual(await call("nothing"), { ok: null });
});

test("an error keeps its code, its hint and the message of its cause", async (t) => {
	const { call } = await opened(t);
	assert.deepEqual((await call("fail")).err, {
		message: "no such issue",
		code: "NO_ISSUE",
		hint: "List them first.",
		name: "Error",
	});
	assert.deepEqual((await call("fail_with_cause")).err, {
		message: "fetch failed: refused",
		code: "ECONNREFUSED",
		name: "TypeError",
	});
	assert.equal((await call("fail_oddly")).err?.message, "null");
});

test("the plugin's output goes to the log, with its name in front", async (t) => {
	const { call, lines, dispatch } = await opened(t);
	await call("print");
	await until(() => lines.length >= 2);
	await dispatch("close");
	await until(() => lines.length >= 3);
	assert.deepEqual(lines.sort(), ["[plugin p] no line end", "[plugin p] to stderr", "[plugin p] to stdout"]);
});

test("the plugin sees a copy of the environment", async (t) => {
	process.env.AGENT_TOOLS_TEST_VALUE = "seen";
	const { call } = await opened(t);
	assert.equal((await call("environment", { name: "AGENT_TOOLS_TEST_VALUE" })).ok.content[0].text, '"seen"');
	delete process.env.AGENT_TOOLS_TEST_VALUE;
});

test("cancel aborts the signal of that call", async (t) => {
	const { dispatch } = await opened(t);
	const waiting = dispatch("call", { callId: "x", tool: "until_cancelled", arguments: {} });
	assert.deepEqual(await dispatch("cancel", { callId: "x" }), { ok: null });
	assert.equal((await waiting).err?.message, "stopped by the signal");
});

for (const [tool, message] of [
	["exit", /exit code 3/],
	["throw_later", /crashed: nobody catches this/],
]) {
	test(`a crash fails every call of that plugin, and of no other: ${tool}`, async (t) => {
		const { dispatch, call } = await opened(t);
		await dispatch("open", { ...GOOD, plugin: "q" });
		const other = dispatch("call", { plugin: "q", callId: "1", tool: "wait", arguments: { ms: 200 } });
		const waiting = call("wait", { ms: 60_000 });
		for (const { err } of [await call(String(tool)), await waiting]) {
			assert.equal(err?.code, "PLUGIN_CRASHED");
			assert.match(err?.message ?? "", /** @type {RegExp} */ (message));
			assert.ok(err?.hint);
		}
		assert.equal((await call("echo")).err?.code, "PLUGIN_NOT_OPEN");
		assert.ok((await other).ok);
		assert.ok((await dispatch("open", GOOD)).ok);
		assert.ok((await call("echo")).ok);
	});
}

test("an endless loop is stopped after a cancelled call", async (t) => {
	const host = openHost(t, { unresponsiveMs: 100 });
	await host.dispatch("open", GOOD);
	const looping = host.dispatch("call", { callId: "x", tool: "loop", arguments: {} });
	await host.dispatch("cancel", { callId: "x" });
	assert.equal((await looping).err?.code, "PLUGIN_CRASHED");
	assert.ok((await host.dispatch("open", GOOD)).ok);
});

test("an endless loop can be closed at once", async (t) => {
	const { dispatch, call } = await opened(t);
	const looping = call("loop");
	await dispatch("close");
	assert.equal((await looping).err?.code, "CLOSED");
});
