// Plugins that do what nobody expects: none of it may reach beyond the plugin.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { FIXTURES, GOOD, openHost } from "./open-host.js";

test("what a plugin sends to its parent thread is nobody's business", async (t) => {
	const { dispatch, call } = openHost(t);
	await dispatch("open", GOOD);
	for (const message of ["ready", null, { id: 1, envelope: "{}" }, { progress: 1 }, { child: 1 }, { output: "x" }]) {
		assert.ok((await call("post_to_parent", { message })).ok);
	}
	assert.deepEqual((await call("worker_data")).ok, {});
	assert.ok((await call("close_parent_port")).ok);
	assert.deepEqual((await call("echo", { a: 1 })).ok.content[0].text, '{"a":1}');
});

test("odd progress is made sensible or ignored", async (t) => {
	/** @type {string[]} */
	const reports = [];
	const { dispatch, call } = openHost(t, { onProgress: (_plugin, _callId, json) => void reports.push(json) });
	await dispatch("open", GOOD);
	assert.equal((await call("odd_progress")).ok, "done");
	assert.deepEqual(reports, [
		'{"progress":1,"message":"50%"}',
		'{"progress":2,"message":"half way"}',
		'{"progress":3}',
	]);
});

test("a core that refuses a report ends nothing", async (t) => {
	const { dispatch, call, lines } = openHost(t, {
		onProgress: () => {
			throw new Error("unreadable");
		},
	});
	await dispatch("open", GOOD);
	assert.equal((await call("odd_progress")).ok, "done");
	assert.ok(lines.includes("[plugin p] a message was lost: unreadable"));
});

test("half an emoji is answered, and thrown", async (t) => {
	const { dispatch, call } = openHost(t);
	await dispatch("open", GOOD);
	assert.deepEqual((await call("half_emoji")).ok, { "key \ufffd": "party \ufffd" });
	assert.equal((await call("throw_half_emoji")).err?.message, "party \ufffd");
});

test("an integer that would arrive changed is refused before the plugin sees it", async (t) => {
	const { host, dispatch } = openHost(t);
	await dispatch("open", GOOD);
	for (const op of ["call", "runSkill"]) {
		const request = '{"plugin":"p","callId":"1","tool":"echo","skill":"none","arguments":{"id":9007199254740993}}';
		const { err } = JSON.parse(await host.dispatch(op, request));
		assert.equal(err.code, "ARG_VALIDATION_FAILED");
	}
});

for (const kind of ["no_text", "no_stack"]) {
	test(`whatever nobody catches is a crash of the plugin alone: ${kind}`, async (t) => {
		const { dispatch, call } = openHost(t);
		await dispatch("open", GOOD);
		assert.equal((await call("throw_oddly_later", { kind })).err?.code, "PLUGIN_CRASHED");
		assert.ok((await dispatch("open", GOOD)).ok);
	});
}

test("what was said right before the end still arrives", async (t) => {
	const { dispatch, call, lines } = openHost(t);
	await dispatch("open", GOOD);
	assert.equal((await call("print_and_exit")).err?.code, "PLUGIN_CRASHED");
	assert.ok(lines.includes("[plugin p] last words"));
});

test("a listing that never ends is stopped when the core gives it up", async (t) => {
	const { dispatch } = openHost(t, { unresponsiveMs: 100 });
	await dispatch("open", { dir: path.join(FIXTURES, "bad"), adapter: "./lists-for-ever.mjs" });
	const listing = dispatch("listTools");
	await dispatch("cancel", { callId: "listing" });
	assert.equal((await listing).err?.code, "PLUGIN_CRASHED");
	assert.equal((await dispatch("listTools")).err?.code, "PLUGIN_NOT_OPEN");
	assert.ok((await dispatch("open", GOOD)).ok);
});
