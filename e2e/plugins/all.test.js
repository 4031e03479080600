// All plugins that come with the runtime, but for the two examples, at once.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { atRest, VIEWS } from "../../bindings-node/lib/cli/cost/measure.js";
import { loadTokenizer } from "../../bindings-node/lib/cli/cost/tokenizer.js";
import { withoutKiteLite } from "../harness/kite-lite-program.js";
import { ROOT } from "../harness/paths.js";
import { temporaryFolder } from "../processes/places.js";
import { startServices } from "../services/all.js";

const FOLDER = path.join(ROOT, "plugins");
const NAMES = readdirSync(FOLDER).filter((name) => !/-(demo|everything)$/.test(name));
const PREFIXES = ["ccdd", "ghcli", "github", "kite", "n8n", "n8nmcp", "ollama", "pocketbase", "tasks"];
/** What a user has to set before they work. */
const NEEDED = {
	ccdd: ["CCDD_GATE_SCRIPT"],
	n8n: ["N8N_URL", "N8N_API_KEY"],
	n8nmcp: ["N8N_MCP_URL", "N8N_MCP_TOKEN"],
	pocketbase: ["POCKETBASE_URL", "POCKETBASE_EMAIL", "POCKETBASE_PASSWORD"],
	tasks: ["TASKS_API_URL"],
};
const UNIFIED_AT_REST = 200;

/** @param {import("node:test").TestContext} t */
async function open(t, env, options = {}) {
	for (const [name, value] of Object.entries(env)) {
		const before = process.env[name];
		t.after(() => (before === undefined ? delete process.env[name] : Object.assign(process.env, { [name]: before })));
		if (value === undefined) delete process.env[name];
		else process.env[name] = value;
	}
	const pluginDirs = NAMES.map((name) => path.join(FOLDER, name));
	const runtime = await Runtime.open({ packageRoot: null, pluginDirs, config: false, ...options });
	t.after(() => runtime.close());
	return runtime;
}

describe("all plugins at once", { timeout: 120_000 }, () => {
	test("none is in the way of another, and what is set up is ready", async (t) => {
		const { env } = await startServices(t);
		const runtime = await open(t, env, { cache: false });
		await runtime.loadAll();
		const { plugins, warnings } = await runtime.status();
		assert.deepEqual(plugins.map(({ prefix }) => prefix).toSorted(), PREFIXES);
		assert.deepEqual(warnings, []);
		for (const { prefix, state, problem } of plugins) {
			const expected = ["ccdd", "n8nmcp"].includes(prefix) ? /needs set-up/ : /ready|needs set-up/;
			assert.match(state, expected, `${prefix}: ${problem}`);
		}
		const ready = plugins.filter(({ state }) => state === "ready").map(({ prefix }) => prefix);
		const here = withoutKiteLite() ? [] : ["kite"];
		for (const prefix of ["github", "n8n", "ollama", "tasks", ...here]) assert.ok(ready.includes(prefix), ready.join());
		const tools = await runtime.tools({ kind: "flat" });
		assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
	});

	test("what is not set up is listed, found, and says what to set", async (t) => {
		const unset = Object.fromEntries(Object.values(NEEDED).flatMap((names) => names.map((name) => [name, undefined])));
		const runtime = await open(
			t,
			{ ...unset, N8N_INSTANCE_URL: undefined, TASKS_API_BASE: undefined },
			{ cache: false },
		);
		const { plugins } = await runtime.status();
		for (const [prefix, names] of Object.entries(NEEDED)) {
			const plugin = plugins.find((known) => known.prefix === prefix);
			assert.equal(plugin?.state, "needs set-up", prefix);
			const reply = await runtime.callTool(`agent_tools_${prefix}_call`, { toolName: "x", arguments: {} });
			const { code, error } = JSON.parse(reply.content[0].text);
			assert.match((await runtime.discover(prefix)).content[0].text, /needs set-up/);
			assert.equal(code, "CONFIG_INVALID", error);
			for (const name of names) assert.match(error, new RegExp(name), prefix);
		}
		const overview = await runtime.callTool("agent_tools_discover", {});
		assert.match(overview.content[0].text, /Needs set-up: /);
	});

	test("the facade is listed from what an earlier run kept, and little is taken at rest", async (t) => {
		const { env } = await startServices(t);
		const cacheDir = temporaryFolder("all-plugins-cache");
		const first = await open(t, env, { cacheDir });
		await first.loadAll();
		await first.close();
		const runtime = await open(t, env, { cacheDir });
		const began = performance.now();
		const tools = await runtime.tools({ kind: "facade" });
		t.diagnostic(`facade listed in ${(performance.now() - began).toFixed(1)} ms`);
		const names = tools.map(({ name }) => name);
		for (const prefix of PREFIXES) assert.ok(names.includes(`agent_tools_${prefix}_call`), prefix);
		assert.ok(
			(await runtime.status()).plugins.every(({ state }) => state !== "ready" && state !== "starting"),
			"nothing was started for it",
		);
		const count = await loadTokenizer();
		for (const kind of VIEWS) {
			const { tools, tokens } = await atRest(runtime, count, { kind });
			t.diagnostic(`${kind}: ${tools} tools, ${tokens} tokens at rest`);
			if (kind === "unified") assert.ok(tokens <= UNIFIED_AT_REST, `${tokens} tokens`);
		}
	});
});
