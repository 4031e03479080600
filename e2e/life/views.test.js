import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../../bindings-node/index.js";
import { CLI } from "../harness/paths.js";
import { StdioSession } from "../harness/stdio-session.js";
import { until } from "../harness/until.js";
import { isAlive } from "./is-alive.js";
import { PluginFolder, tool } from "./plugin-folder.js";

// What a client is shown: chosen once, then the same bytes whatever starts, stops and is called.

/** @type {import("../../bindings-node/index.js").View["kind"][]} */
const KINDS = ["facade", "unified", "flat", "auto"];

/** @param {import("node:test").TestContext} t @param {import("../../bindings-node/index.js").RuntimeOptions} options */
async function open(t, options) {
	const runtime = await Runtime.open(options);
	t.after(() => runtime.close());
	return runtime;
}

/** @param {Runtime} runtime */
const lists = async (runtime) => Promise.all(KINDS.map(async (kind) => JSON.stringify(await runtime.tools({ kind }))));

/** @param {Runtime} runtime @param {typeof KINDS[number]} kind */
const names = async (runtime, kind) => (await runtime.tools({ kind })).map(({ name }) => name);

/** Longer than it takes to notice a change and act on it. */
const A_WHILE_MS = 1500;

const VERBS = ["agent_tools_discover", "agent_tools_call"];

describe("views", { timeout: 120_000 }, () => {
	test("no list changes with calls, searches, idle stops and new starts", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("look"), tool("list_notes")], manifest: { idleMs: 300 } });
		plugins.add("b");
		const runtime = await open(t, { ...plugins.options, pin: ["b/look"] });
		const before = await lists(runtime);
		const look = async () => {
			const { content } = await runtime.callTool("agent_tools_call", { plugin: "a", toolName: "look" });
			return JSON.parse(/** @type {{text: string}} */ (content[0]).text).result;
		};
		const pid = await look();
		await runtime.callTool("agent_tools_discover", { query: "notes" });
		assert.deepEqual(await lists(runtime), before);
		await until("idle stop", () => !isAlive(pid));
		assert.deepEqual(await lists(runtime), before);
		assert.notEqual(await look(), pid);
		assert.deepEqual(await lists(runtime), before);
		assert.ok((await names(runtime, "unified")).includes("b_look"));
	});

	test("auto shows few tools directly as soon as an earlier run has listed them, and starts nothing for it", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const first = await open(t, plugins.options);
		assert.deepEqual(await names(first, "auto"), VERBS);
		await first.loadAll();
		assert.deepEqual(await names(first, "auto"), VERBS, "as it was chosen");
		await first.close();

		const starts = plugins.starts("a");
		const second = await open(t, plugins.options);
		assert.deepEqual(await names(second, "auto"), ["a_look", "read_more"]);
		assert.equal((await second.status()).auto?.kind, "flat");
		assert.deepEqual(plugins.starts("a"), starts);
	});

	test("the configuration file names the view and the pins of the command, and a flag goes before it", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const config = path.join(plugins.folder, "agent-tools.json");
		writeFileSync(config, JSON.stringify({ view: "facade", pin: ["a/*"] }));
		const shown = async (/** @type {string[]} */ ...args) => {
			const session = new StdioSession("legacy", process.execPath, [CLI, "mcp", "--config", config, ...args], {
				env: plugins.env,
			});
			t.after(async () => {
				session.child.stdin.end();
				await session.ended;
			});
			await session.open();
			const { result } = await session.request("tools/list");
			return result.tools.map((/** @type {{name: string}} */ { name }) => name);
		};
		const facade = await shown();
		assert.ok(facade.includes("agent_tools_a_call") && facade.includes("a_look"), String(facade));
		const unified = await shown("--view", "unified");
		assert.ok(unified.includes("agent_tools_call") && unified.includes("a_look"), String(unified));
		const pinned = await shown("--view", "unified", "--pin", "demo/*_issue");
		assert.ok(
			pinned.some((/** @type {string} */ name) => name.startsWith("demo_")),
			String(pinned),
		);
		assert.ok(!pinned.includes("a_look"), String(pinned));
	});

	test("a client of the unified view is told of plugins that come, and not of tools that do", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("announce")] });
		const session = new StdioSession("legacy", process.execPath, [CLI, "mcp", "--view", "unified"], {
			env: plugins.env,
		});
		t.after(async () => {
			session.child.stdin.end();
			await session.ended;
		});
		await session.open();
		const list = async () => JSON.stringify((await session.request("tools/list")).result);
		const told = () =>
			session.notifications.filter(({ method }) => method === "notifications/tools/list_changed").length;
		const before = await list();
		plugins.offer("a", [tool("announce"), tool("new")]);
		const call = { name: "agent_tools_call", arguments: { plugin: "a", toolName: "announce" } };
		await session.request("tools/call", call);
		await sleep(A_WHILE_MS);
		assert.equal(told(), 0);
		assert.equal(await list(), before);

		plugins.add("b");
		await until("word of b", () => told() === 1);
		assert.match(await list(), /"description":"[^"]*\bb\b/);
	});
});
