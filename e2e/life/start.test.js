// A plugin's child: started on first use and once, stopped when nobody uses it, started again after it has ended.

import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../../bindings-node/index.js";
import { until } from "../harness/until.js";
import { isAlive } from "./is-alive.js";
import { PluginFolder, tool } from "./plugin-folder.js";

/**
 * @param {import("node:test").TestContext} t
 * @param {PluginFolder} plugins
 */
async function open(t, plugins) {
	const runtime = await Runtime.open(plugins.options);
	t.after(() => runtime.close());
	return runtime;
}

/** @param {Promise<import("../../bindings-node/index.js").ToolReply>} reply */
async function answer(reply) {
	const { content, _meta } = await reply;
	return _meta?.["agent-tools/discover"] ?? JSON.parse(/** @type {{text: string}} */ (content[0]).text);
}

/** @param {Runtime} runtime */
const stateOf = async (runtime) => (await runtime.status()).plugins[0];

describe("a plugin's child", { timeout: 120_000 }, () => {
	test("is started once for fifty first calls at the same time", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const runtime = await open(t, plugins);
		const answers = await Promise.all(Array.from({ length: 50 }, () => answer(runtime.call("a", "look"))));
		const [pid, ...others] = plugins.starts("a");
		assert.deepEqual(others, []);
		for (const { result } of answers) assert.equal(result, pid);
	});

	test("is started once for fifty first calls of what an earlier run kept", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const first = await Runtime.open(plugins.options);
		await first.discover("a");
		await first.close();
		const runtime = await open(t, plugins);
		const mixed = Array.from({ length: 50 }, (_, n) =>
			n % 2 ? answer(runtime.call("a", "look")) : answer(runtime.discover("a")),
		);
		await Promise.all(mixed);
		assert.equal(plugins.starts("a").length, 2, "one in each run");
	});

	test("shows its state while it starts, when it is ready and when it has failed", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const first = await Runtime.open(plugins.options);
		await first.discover("a");
		await first.close();

		const runtime = await open(t, plugins);
		assert.equal((await stateOf(runtime)).state, "idle");
		assert.equal((await answer(runtime.discover("a"))).state, "idle");
		const calling = answer(runtime.call("a", "look"));
		await calling;
		assert.equal((await stateOf(runtime)).state, "ready");
		assert.equal((await answer(runtime.discover("a"))).state, undefined);

		plugins.add("b", { manifest: { mcp: { command: "sh", args: ["-c", "sleep 1; exit 4"] } } });
		await runtime.reload();
		const b = async () => (await runtime.status()).plugins.find(({ prefix }) => prefix === "b");
		const failing = answer(runtime.discover("b"));
		await until("start of b", async () => (await b())?.state === "starting");
		assert.equal((await failing).code, "PLUGIN_UNAVAILABLE");
		const failed = await b();
		assert.equal(failed?.state, "failed");
		assert.match(failed?.reason ?? "", /code 4|exit/);
	});

	test("that failed to start is tried again on the next use, and what was kept is shown with the reason", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const first = await Runtime.open(plugins.options);
		await first.discover("a");
		await first.close();

		const tools = path.join(path.dirname(plugins.folder), "a.tools.json");
		renameSync(tools, `${tools}.away`);
		const runtime = await open(t, plugins);
		// The server lists nothing that can be read.
		const failed = await answer(runtime.call("a", "look"));
		assert.equal(failed.isError, true);
		const shown = await answer(runtime.discover("a"));
		assert.equal(shown.matches[0].name, "look");
		assert.match(shown.state, /^failed: ./);
		renameSync(`${tools}.away`, tools);
		await until("a good answer", async () => (await answer(runtime.call("a", "look"))).isError === false);
		assert.equal((await stateOf(runtime)).state, "ready");
	});

	test("is stopped when it is not used, and started again on the next use", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a", { manifest: { idleMs: 300 } });
		plugins.add("b", { manifest: { idleMs: 300, keepAlive: true } });
		const runtime = await open(t, plugins);
		const { result: pid } = await answer(runtime.call("a", "look"));
		const { result: kept } = await answer(runtime.call("b", "look"));
		await until("end", () => !isAlive(pid));
		assert.ok(isAlive(kept));
		// Looking at it starts nothing.
		assert.equal((await answer(runtime.discover("a"))).matches[0].name, "look");
		await runtime.tools({ kind: "flat" });
		assert.equal(plugins.starts("a").length, 1);
		const { result: next } = await answer(runtime.call("a", "look"));
		assert.deepEqual(plugins.starts("a"), [pid, next]);
		assert.deepEqual(plugins.starts("b"), [kept]);
	});

	test("is not stopped while a call runs", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("slow")], manifest: { idleMs: 200 } });
		const runtime = await open(t, plugins);
		const { isError, result } = await answer(runtime.call("a", "slow"));
		assert.equal(isError, false);
		assert.deepEqual(plugins.starts("a"), [result]);
	});

	test("may announce other tools whenever it lists them: what it has just listed counts", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("look"), tool("announced_while_listed")] });
		const runtime = await open(t, plugins);
		for (let round = 0; round < 3; round++) {
			const { isError, result } = await answer(runtime.call("a", "look"));
			assert.equal(isError, false, "it needs no consent, as it only reads");
			assert.deepEqual(plugins.starts("a"), [result]);
		}
	});

	test("that crashes is started again, with pauses between", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("look"), tool("crash", {})], manifest: { requireConfirm: false } });
		const runtime = await open(t, plugins);
		assert.equal((await answer(runtime.call("a", "crash"))).code, "OUTCOME_UNKNOWN");
		assert.equal((await answer(runtime.call("a", "look"))).isError, false, "the first restart is at once");
		await answer(runtime.call("a", "crash"));
		const refused = await answer(runtime.call("a", "look"));
		assert.equal(refused.code, "PLUGIN_UNAVAILABLE");
		assert.match(refused.error, /started again in/);
		assert.ok(refused.retryAfterMs > 0, JSON.stringify(refused));
		const before = plugins.starts("a").length;
		await sleep(refused.retryAfterMs + 100);
		assert.equal((await answer(runtime.call("a", "look"))).isError, false);
		assert.equal(plugins.starts("a").length, before + 1);
	});
});
