// A program that embeds the runtime: it ends by itself, and one of its runtimes never harms another.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Spawned } from "../processes/spawned.js";
import { makePlugin } from "./plugin.js";

const HOST = fileURLToPath(new URL("embedding-host.mjs", import.meta.url));
const tool = (name) => ({ name, inputSchema: { type: "object", properties: {} } });
const SCENARIO = {
	tools: [tool("quick"), tool("slow")],
	// The first call is the quick one where there is one.
	steps: [
		{ at: "tools/call", nth: 2, do: [{ sleep_ms: 1500 }, { reply: { content: [{ type: "text", text: "late" }] } }] },
	],
};
const SLOW_FIRST = { ...SCENARIO, steps: SCENARIO.steps.map((step) => ({ ...step, nth: 1 })) };

const ALWAYS_SLOW = { ...SCENARIO, steps: SCENARIO.steps.map((step) => ({ ...step, nth: undefined })) };

/**
 * @param {import("node:test").TestContext} t
 * @param {string} script
 * @param {import("./plugin.js").Scenario} [scenario]
 * @param {{input?: "open"}} [options]
 */
function start(t, script, scenario = SCENARIO, options = {}) {
	const { folder } = makePlugin(t, { scenario });
	return new Spawned(t, process.execPath, [HOST, script, folder], { cwd: process.cwd(), env: process.env, ...options });
}

for (const [script, raw, scenario] of [
	["without close", "ok", SCENARIO],
	["with listeners and a watch, without close", "ok", SCENARIO],
	["with close", "ok", SCENARIO],
	["with a call that is awaited", "late", SLOW_FIRST],
]) {
	test(`C164 ${script}: it ends by itself, with the answer and no child`, async (t) => {
		const host = start(t, script, scenario);
		const { code } = await host.exitWithin(20_000);
		assert.equal(code, 0, host.output);
		assert.equal(JSON.parse(host.stdout).result.raw, raw);
		assert.deepEqual(await host.watch.survivors(), []);
	});
}

test("C164 process.exit during a call: no crash and no child", async (t) => {
	const host = start(t, "process.exit during a call");
	const { code, signal } = await host.exitWithin(20_000);
	assert.deepEqual({ code, signal }, { code: 7, signal: null }, host.output);
	assert.deepEqual(await host.watch.survivors(), []);
});

test("C170 two runtimes in one process: the end of one does not touch the other, and both leave nothing", async (t) => {
	const host = start(t, "two runtimes", ALWAYS_SLOW, { input: "open" });
	const seen = await host.until("an answer", () => host.stdout.includes("\n") && JSON.parse(host.stdout));
	assert.equal(seen.result.raw, "late", host.output);
	assert.equal(seen.cutOff, "OUTCOME_UNKNOWN");
	await host.until("the end of the children", () => host.watch.descendants().length === 0, 5000);
	host.endInput();
	assert.equal((await host.exitWithin(20_000)).code, 0, host.output);
});
