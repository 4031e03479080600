import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AgentToolsError } from "../index.js";
import { Runtime } from "../lib/runtime.js";
import { fakeAddon } from "./fake-addon.js";

/**
 * @param {import("node:test").TestContext} t
 * @param {import("../index.js").RuntimeOptions} options
 * @param {import("../lib/native-types.d.ts").Native} addon
 */
async function open(t, options, addon) {
	const runtime = await Runtime.open(options, addon);
	t.after(() => runtime.close());
	return runtime;
}

/** @param {import("../index.js").ToolReply} reply */
const request = (reply) => JSON.parse(/** @type {{text: string}} */ (reply.content[0]).text);

test("the facade has a method for each of its tools", async (t) => {
	const { addon } = fakeAddon();
	const runtime = await open(t, {}, addon);
	assert.deepEqual(request(await runtime.help()), { name: "agent_tools_help", arguments: {} });
	assert.deepEqual(request(await runtime.discover("gh", "issues")), {
		name: "agent_tools_gh_discover",
		arguments: { query: "issues" },
	});
	assert.deepEqual(request(await runtime.discover("gh")).arguments, {});
	assert.deepEqual(request(await runtime.call("gh", "close", { n: 1 }, { confirm: true })), {
		name: "agent_tools_gh_call",
		arguments: { toolName: "close", arguments: { n: 1 }, confirm: true },
	});
	assert.deepEqual(request(await runtime.runSkill("gh", "tidy")), {
		name: "agent_tools_gh_run_skill",
		arguments: { skill: "tidy", arguments: {} },
	});
	const view = /** @type {const} */ ({ kind: "flat", plugin: "gh" });
	assert.deepEqual(request(await runtime.callTool("x", { a: 1 }, { view })), { name: "x", arguments: { a: 1 }, view });
	assert.deepEqual(await runtime.tools(view), [{ name: JSON.stringify(view) }]);
	assert.deepEqual(await runtime.status(), { plugins: [], warnings: [] });
	await runtime.loadAll();
	assert.deepEqual(await runtime.serveHttp({ port: 0 }), { port: 0 });
});

test("options have defaults, and plugin folders may come from the environment", async (t) => {
	const { addon, seen } = fakeAddon();
	process.env.AGENT_TOOLS_PLUGINS_DIR = ["/a", "/b"].join(path.delimiter);
	await open(t, {}, addon);
	delete process.env.AGENT_TOOLS_PLUGINS_DIR;
	assert.deepEqual(seen.options, {
		packageRoot: fileURLToPath(new URL("..", import.meta.url)),
		pluginDirs: ["/a", "/b"],
		config: true,
		plugins: [],
	});
	await open(t, { pluginDirs: ["/c"], plugins: [{ prefix: "x" }] }, addon);
	assert.deepEqual(seen.options.pluginDirs, ["/c"]);
	assert.deepEqual(seen.options.plugins, [{ prefix: "x" }]);
});

test("an adapter of the embedding program is asked in this thread", async (t) => {
	const { addon, seen } = fakeAddon();
	const shop = {
		listTools: () => [{ name: "stock", inputSchema: { type: "object" } }],
		call: async (/** @type {string} */ name, /** @type {unknown} */ args) => ({ content: [], name, args }),
	};
	await open(
		t,
		{ adapters: [{ prefix: "shop", description: "The shop", adapter: shop, readonlyTools: ["stock"] }] },
		addon,
	);
	assert.deepEqual(seen.options.plugins, [
		{ prefix: "shop", description: "The shop", readonlyTools: ["stock"], host: true },
	]);
	/** @param {string} op @param {object} [more] */
	const dispatch = async (op, more) =>
		JSON.parse((await seen.dispatch?.(op, JSON.stringify({ plugin: "shop", ...more }))) ?? "");
	assert.deepEqual(await dispatch("open"), { ok: { hasAdapter: true, hasContext: false, skills: [] } });
	assert.equal((await dispatch("listTools")).ok.tools[0].name, "stock");
	assert.equal((await dispatch("describe", { tool: "stock" })).ok.name, "stock");
	assert.equal((await dispatch("describe", { tool: "none" })).err.code, "UNKNOWN_TOOL");
	assert.deepEqual((await dispatch("call", { callId: "1", tool: "stock", arguments: { n: 1 } })).ok.args, { n: 1 });
	const inexact = '{"plugin":"shop","callId":"2","tool":"stock","arguments":{"n":9007199254740993}}';
	assert.match((await seen.dispatch?.("call", inexact)) ?? "", /"code":"ARG_VALIDATION_FAILED"/);
	assert.deepEqual(await dispatch("close"), { ok: null });
	assert.equal((await dispatch("nonsense")).err.code, "INTERNAL");
});

test("adapters may be given by prefix, and must be adapters", async (t) => {
	const { addon, seen } = fakeAddon();
	await open(t, { adapters: { a: { listTools: () => [], call: () => null } } }, addon);
	assert.deepEqual(seen.options.plugins, [{ prefix: "a", host: true }]);
	const adapters = /** @type {any} */ ({ b: { listTools() {} } });
	await assert.rejects(Runtime.open({ adapters }, addon), { code: "CONFIG_INVALID", message: /no method call\(\)/ });
});

test("an aborted signal cancels the call, and nothing stays attached to it", async (t) => {
	const { addon, seen } = fakeAddon({
		callTool: (_, handle) =>
			new Promise((resolve) => {
				const content = [{ type: "text", text: '{"isError":true,"code":"CANCELLED"}' }];
				const onCancel = () => resolve(JSON.stringify({ content, isError: true }));
				Object.assign(handle ?? {}, { onCancel });
			}),
	});
	const runtime = await open(t, {}, addon);
	const controller = new AbortController();
	const onabort = () => {};
	controller.signal.onabort = onabort;
	const call = runtime.callTool("x", {}, { signal: controller.signal });
	controller.abort("enough");
	await assert.rejects(call, { name: "AgentToolsError", code: "CANCELLED", cause: "enough" });
	assert.equal(controller.signal.onabort, onabort);
	assert.deepEqual(getEventListeners(controller.signal, "abort").length, 1);
	await assert.rejects(runtime.callTool("x", {}, { signal: controller.signal }), { code: "CANCELLED" });
	assert.equal(seen.handles, 1);
});

test("a call that ends leaves the signal alone", async (t) => {
	const { addon } = fakeAddon();
	const runtime = await open(t, {}, addon);
	const { signal } = new AbortController();
	await runtime.call("a", "b", {}, { signal });
	assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("errors of the addon become AgentToolsErrors", async (t) => {
	const native = Object.assign(new Error("taken"), { code: "PORT_IN_USE", hint: "Choose another." });
	const { addon } = fakeAddon({ serveHttp: async () => Promise.reject(native) });
	const runtime = await open(t, {}, addon);
	await assert.rejects(runtime.serveHttp(), (/** @type {AgentToolsError} */ error) => {
		assert.ok(error instanceof AgentToolsError);
		assert.deepEqual([error.code, error.message, error.hint], ["PORT_IN_USE", "taken", "Choose another."]);
		return true;
	});
});

test("closing is idempotent, and a closed runtime says so", async () => {
	const { addon, seen } = fakeAddon();
	const runtime = await Runtime.open({}, addon);
	await Promise.all([runtime.close(), runtime.close(), runtime[Symbol.asyncDispose]()]);
	runtime.closeNow();
	assert.equal(seen.closed, 1);
	await assert.rejects(runtime.help(), { code: "CLOSED" });
	await assert.rejects(runtime.tools(), { code: "CLOSED" });
});

test("many runtimes share one exit hook, which goes when they do", async () => {
	const { addon } = fakeAddon();
	const before = process.listenerCount("exit");
	const runtimes = await Promise.all(Array.from({ length: 30 }, () => Runtime.open({}, addon)));
	assert.equal(process.listenerCount("exit"), before + 1);
	await Promise.all(runtimes.map((runtime) => runtime.close()));
	assert.equal(process.listenerCount("exit"), before);
});

test("a process with an open runtime and a running plugin ends by itself, and kills what the plugin started", async () => {
	const script = fileURLToPath(new URL("./fixtures/leave-open.mjs", import.meta.url));
	const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 10_000 });
	const { started, killed, closedNow } = JSON.parse(stdout);
	assert.deepEqual(killed, [started]);
	assert.equal(closedNow, 1);
});

test("listeners are told of changes until they or the runtime end, and the core is asked once", async (t) => {
	/** @type {(() => void)[]} */
	const asked = [];
	const { addon, seen } = fakeAddon({ onChange: (listener) => void asked.push(listener) });
	/** @type {string[]} */
	const told = [];
	const runtime = await open(t, { watch: true, cache: false, onChange: () => told.push("option") }, addon);
	assert.deepEqual([seen.options.watch, seen.options.cache, seen.options.onChange], [true, false, undefined]);
	const end = runtime.onChange(() => told.push("method"));
	assert.equal(asked.length, 1);
	asked[0]?.();
	assert.deepEqual(told, ["option", "method"]);
	end();
	asked[0]?.();
	assert.deepEqual(told, ["option", "method", "option"]);
	await runtime.close();
	asked[0]?.();
	assert.equal(told.length, 3);
	await assert.rejects(runtime.reload(), { code: "CLOSED" });
});

test("who does not listen costs nothing", async (t) => {
	const { addon } = fakeAddon({ onChange: () => assert.fail("nobody wants to know") });
	await open(t, {}, addon);
});
