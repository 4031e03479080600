// Plugins come, change and go while clients are connected: they are told, and see what there is now.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../../bindings-node/index.js";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { CLI } from "../harness/paths.js";
import { headers, initialize, request } from "../harness/protocol.js";
import { StdioSession } from "../harness/stdio-session.js";
import { until } from "../harness/until.js";
import { isAlive } from "./is-alive.js";
import { listenOverHttp } from "./listening.js";
import { PluginFolder, tool } from "./plugin-folder.js";

const CHANGED = "notifications/tools/list_changed";
/** Longer than it takes to notice a change and act on it. */
const A_WHILE_MS = 1500;

/**
 * A client of the command over stdio.
 *
 * @param {import("node:test").TestContext} t
 * @param {PluginFolder} plugins
 * @param {{generation?: "legacy" | "modern", args?: string[]}} [options]
 */
async function connect(t, plugins, { generation = "legacy", args = ["--view", "facade"] } = {}) {
	const session = new StdioSession(generation, process.execPath, [CLI, "mcp", ...args], { env: plugins.env });
	t.after(async () => {
		session.child.stdin.end();
		await session.ended;
	});
	await session.open();
	return {
		session,
		names: async () => {
			const { result } = await session.request("tools/list");
			return namesOf(result.tools);
		},
		call: async (/** @type {string} */ prefix, /** @type {object} */ args) => {
			const { result } = await session.request("tools/call", { name: `agent_tools_${prefix}_call`, arguments: args });
			return JSON.parse(result.content[0].text);
		},
		changes: () => session.notifications.filter(({ method }) => method === CHANGED),
	};
}

/** @param {{name: string}[]} tools */
const namesOf = (tools) => tools.map(({ name }) => name);

/** The tools of plugins in the facade. @param {string[]} prefixes */
const facade = (...prefixes) => [
	"agent_tools_help",
	...prefixes.flatMap((prefix) => [`agent_tools_${prefix}_discover`, `agent_tools_${prefix}_call`]),
];

describe("reload", { timeout: 120_000 }, () => {
	test("a client over stdio is told of plugins that come, change and go, and others go on", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const { names, call, changes, session } = await connect(t, plugins);
		assert.deepEqual(await names(), facade("a"));
		const { result: pid } = await call("a", { toolName: "look" });

		plugins.add("b");
		await until("word of b", () => changes().length === 1);
		assert.deepEqual(await names(), facade("a", "b"));
		const { result: pidOfB } = await call("b", { toolName: "look" });

		plugins.add("b", { manifest: { description: "Another one." } });
		await until("word of another b", () => changes().length === 2);
		const { result } = await session.request("tools/list");
		assert.match(JSON.stringify(result), /Another one\./);
		await until("end of the old b", () => !isAlive(pidOfB));

		plugins.remove("b");
		await until("word that b is gone", () => changes().length === 3);
		assert.deepEqual(await names(), facade("a"));
		assert.equal((await call("a", { toolName: "look" })).result, pid, "the same process");
		assert.equal(changes().length, 3);
	});

	test("a manifest that breaks leaves the plugin as it was, nobody is told, and stderr says why", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const { names, call, changes, session } = await connect(t, plugins);
		const { result: pid } = await call("a", { toolName: "look" });
		assert.deepEqual(await names(), facade("a"));
		plugins.write("a", '{"prefix": "a",');
		await until("a warning", () => session.stderr.includes("goes on as it was"));
		assert.match(session.stderr, /plugin\.json/);
		assert.deepEqual(await names(), facade("a"));
		assert.equal((await call("a", { toolName: "look" })).result, pid);
		assert.deepEqual(changes(), []);
		plugins.add("a", { manifest: { discoverHint: "Mended." } });
		await until("word of the mended one", () => changes().length === 1);
	});

	test("a client is told only of changes in its own view", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("look"), tool("announce")] });
		plugins.add("b");
		const ofA = await connect(t, plugins, { args: ["--view", "flat", "--plugin", "a"] });
		const ofB = await connect(t, plugins, { args: ["--view", "flat", "--plugin", "b"] });
		const whole = await connect(t, plugins);
		assert.deepEqual(await ofA.names(), ["look", "announce", "read_more"]);
		assert.deepEqual(await ofB.names(), ["look", "read_more"]);
		await whole.names();

		// Each client has a runtime of its own here, so the server says it to each.
		plugins.offer("a", [tool("look"), tool("announce"), tool("more")]);
		await ofA.session.request("tools/call", { name: "announce", arguments: {} });
		await until("word of more tools", () => ofA.changes().length === 1);
		assert.deepEqual(await ofA.names(), ["look", "announce", "more", "read_more"]);
		// The facade's tools do not depend on what services list.
		await whole.call("a", { toolName: "announce" });
		await sleep(A_WHILE_MS);
		assert.deepEqual(whole.changes(), []);
		assert.deepEqual(ofB.changes(), []);
		assert.equal(ofA.changes().length, 1);
	});

	test("a 2026-07-28 client over stdio is told on what it listens to", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const { names, changes, session } = await connect(t, plugins, { generation: "modern" });
		assert.deepEqual(await names(), facade("a"));
		session.begin("subscriptions/listen", { notifications: { toolsListChanged: true } });
		await until("acknowledgment", () =>
			session.notifications.some(({ method }) => method === "notifications/subscriptions/acknowledged"),
		);
		plugins.add("b");
		await until("word of b", () => changes().length === 1);
		assert.deepEqual(await names(), facade("a", "b"));
	});

	test("over HTTP a 2026-07-28 client listens, and an older one is promised nothing", async (t) => {
		const plugins = new PluginFolder();
		plugins.add("a");
		const { port, child } = await startHttp(t, { env: plugins.env });
		const listening = await listenOverHttp(t, { port, path: "/mcp?view=facade" });
		assert.equal(listening.status, 200);
		const ofA = await listenOverHttp(t, { port, path: "/mcp/a" });
		await until("acknowledgment", () => listening.messages.length === 1 && ofA.messages.length === 1);

		plugins.add("b");
		await until("word of b", () => listening.changes().length === 1);
		const listed = await send({
			port,
			path: "/mcp?view=facade",
			headers: headers("modern", "tools/list"),
			body: request("modern", 1, "tools/list"),
		});
		assert.deepEqual(namesOf(listed.json().result.tools), facade("a", "b"));
		await sleep(A_WHILE_MS);
		assert.deepEqual(ofA.changes(), []);

		const opened = await send({ port, headers: headers("legacy", "initialize"), body: initialize() });
		assert.deepEqual(opened.json().result.capabilities.tools, {});
		const discovered = await send({
			port,
			headers: headers("modern", "server/discover"),
			body: request("modern", 2, "server/discover"),
		});
		assert.equal(discovered.json().result.capabilities.tools.listChanged, true);

		child.kill("SIGTERM");
		await until("end of the stream", () => listening.ended());
	});

	for (const protocolEra of ["legacy", "modern"]) {
		test(`a ${protocolEra} server that tells of other tools is listed again, and its clients are told`, async (t) => {
			const [inner, outer] = [new PluginFolder(), new PluginFolder()];
			inner.add("a");
			// The server is this very runtime, with plugins of its own.
			const mcp = { command: process.execPath, args: [CLI, "mcp", "--view", "facade"], env: inner.ownEnv, protocolEra };
			outer.add("server", { manifest: { mcp } });
			const { names, changes } = await connect(t, outer, { args: ["--view", "flat", "--plugin", "server"] });
			const before = await names();
			assert.ok(before.includes("agent_tools_a_call"), String(before));
			inner.add("b");
			await until("word of b", () => changes().length === 1);
			assert.ok((await names()).includes("agent_tools_b_call"));
		});
	}

	test("a JavaScript plugin that is edited is another one, and calls of the old one end first", async (t) => {
		const plugins = new PluginFolder();
		const adapter = (/** @type {string} */ word) => `export class A {
			listTools() { return [{ name: "say", annotations: { readOnlyHint: true } }]; }
			async call(name, { ms = 0 }, { progress }) {
				progress({ message: "begun" });
				await new Promise((resolve) => setTimeout(resolve, ms));
				return "${word}";
			}
		}`;
		plugins.write("a", JSON.stringify({ prefix: "a", adapter: "./adapter.mjs", adapterExport: "A" }));
		const file = path.join(plugins.dir("a"), "adapter.mjs");
		writeFileSync(file, adapter("one"));
		let changes = 0;
		const runtime = await Runtime.open({ ...plugins.options, watch: true, onChange: () => changes++ });
		t.after(() => runtime.close());
		const say = async (/** @type {number} */ ms, onProgress = () => {}) => {
			const { content } = await runtime.call("a", "say", { ms }, { onProgress });
			return JSON.parse(content[0].text).result.raw;
		};
		/** @type {Promise<string> | undefined} */
		let slow;
		await new Promise((resolve) => {
			slow = say(3000, () => resolve(undefined));
		});
		writeFileSync(file, adapter("two"));
		await until("the new one", () => changes > 0);
		let reports = 0;
		assert.equal(await say(0, () => reports++), "two");
		assert.equal(reports, 1);
		assert.equal(await slow, "one");
		assert.equal(await say(0), "two");
	});
});
