// What plugins offered is kept on disk: it is shown before anything starts, and never decides about a call.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { Runtime } from "../../bindings-node/index.js";
import { CLI } from "../harness/paths.js";
import { PluginFolder, tool } from "./plugin-folder.js";

/**
 * @template T
 * @param {PluginFolder} plugins
 * @param {(runtime: Runtime) => Promise<T>} work
 * @param {import("../../bindings-node/index.js").RuntimeOptions} [more]
 */
async function run(plugins, work, more = {}) {
	const runtime = await Runtime.open({ ...plugins.options, ...more });
	try {
		return await work(runtime);
	} finally {
		await runtime.close();
	}
}

/** @param {Promise<import("../../bindings-node/index.js").ToolReply>} reply */
async function answer(reply) {
	const { content, _meta } = await reply;
	return _meta?.["agent-tools/discover"] ?? JSON.parse(/** @type {{text: string}} */ (content[0]).text);
}

/** @param {PluginFolder} plugins */
const discovered = (plugins, more = {}) => run(plugins, (runtime) => answer(runtime.discover("a")), more);

/** Kept by now; the file is written behind the answer. @param {PluginFolder} plugins */
async function keptOnce(plugins) {
	await discovered(plugins);
	assert.equal(readdirSync(plugins.cachedListings).length, 1);
}

describe("the cache", { timeout: 120_000 }, () => {
	test("answers discover, help, the tool lists and status with nothing started", async () => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("look"), tool("change", {})] });
		await keptOnce(plugins);
		await run(plugins, async (runtime) => {
			const shown = await answer(runtime.discover("a"));
			assert.deepEqual(
				shown.matches.map(({ name, readOnly }) => [name, readOnly]),
				[
					["look", true],
					["change", false],
				],
			);
			await runtime.help();
			const flat = await runtime.tools({ kind: "flat", plugin: "a" });
			assert.deepEqual(
				flat.map(({ name }) => name),
				["look", "change", "read_more"],
			);
			const [{ state, tools }] = (await runtime.status()).plugins;
			assert.deepEqual({ state, tools }, { state: "idle", tools: 2 });
			assert.equal((await runtime.status()).children, 0);
		});
		assert.equal(plugins.starts("a").length, 1);
	});

	test("is not believed about consent: a tool that changes things by now needs it", async () => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("look")] });
		await keptOnce(plugins);
		plugins.offer("a", [tool("look", { readOnlyHint: false })]);
		await run(plugins, async (runtime) => {
			assert.equal((await answer(runtime.discover("a"))).matches[0].readOnly, true, "as it was kept");
			const refused = await answer(runtime.call("a", "look"));
			assert.equal(refused.code, "CONFIRM_REQUIRED");
			assert.equal((await answer(runtime.discover("a"))).matches[0].readOnly, false);
			assert.equal((await answer(runtime.call("a", "look", {}, { confirm: true }))).isError, false);
		});
	});

	test("is not believed about arguments or names: the answers are those of the list of now", async () => {
		const plugins = new PluginFolder();
		plugins.add("a", { tools: [tool("look"), tool("old_name")] });
		await keptOnce(plugins);
		plugins.offer("a", [tool("look"), tool("new_name")]);
		await run(plugins, async (runtime) => {
			let changes = 0;
			runtime.onChange(() => changes++);
			const gone = await answer(runtime.call("a", "old_name"));
			assert.equal(gone.code, "UNKNOWN_TOOL");
			assert.equal((await answer(runtime.call("a", "new_name"))).isError, false);
			const shown = await answer(runtime.discover("a"));
			assert.deepEqual(
				shown.matches.map(({ name }) => name),
				["look", "new_name"],
			);
			assert.equal(changes, 0, "nobody had been shown the old list");
		});
		// And it is kept for the next run.
		const shown = await discovered(plugins);
		assert.equal(shown.state, "idle");
		assert.deepEqual(
			shown.matches.map(({ name }) => name),
			["look", "new_name"],
		);
	});

	test("whoever was shown what was kept is told that it is different", async () => {
		const plugins = new PluginFolder();
		plugins.add("a");
		await keptOnce(plugins);
		plugins.offer("a", [tool("look"), tool("more")]);
		await run(plugins, async (runtime) => {
			await answer(runtime.discover("a"));
			const changed = new Promise((resolve) => runtime.onChange(() => resolve(undefined)));
			await answer(runtime.call("a", "look"));
			await changed;
		});
	});

	test("a change of settings, of a variable or of a program is another plugin", async () => {
		const plugins = new PluginFolder();
		const program = path.join(path.dirname(plugins.folder), "more.sh");
		writeFileSync(program, "# 1");
		const [, tools, starts] = plugins.settings("a").mcp.args;
		const server = plugins.settings("a").mcp.args[0];
		const mcp = (/** @type {string} */ value) => ({
			command: "sh",
			args: [server, tools, starts, program],
			env: { A_TOKEN: value },
		});
		process.env.LIFE_TOKEN = "secret-1";
		plugins.add("a", { manifest: { mcp: mcp(`\${LIFE_TOKEN}`) } });
		const state = async () => (await discovered(plugins)).state;
		assert.equal(await state(), undefined);
		assert.equal(await state(), "idle");
		process.env.LIFE_TOKEN = "secret-2";
		assert.equal(await state(), undefined);
		writeFileSync(program, "# 2");
		assert.equal(await state(), undefined);
		plugins.add("a", { manifest: { mcp: mcp("fixed-secret") } });
		assert.equal(await state(), undefined);
		assert.equal(await state(), "idle");
		delete process.env.LIFE_TOKEN;
		const files = readdirSync(plugins.cachedListings).map((name) => path.join(plugins.cachedListings, name));
		assert.equal(files.length, 4);
		for (const file of files) {
			assert.doesNotMatch(`${file}${readFileSync(file, "utf8")}`, /secret/);
			assert.equal(statSync(file).mode & 0o777, 0o600);
		}
	});

	test("a damaged file is no file, and is put right", async () => {
		const plugins = new PluginFolder();
		plugins.add("a");
		await keptOnce(plugins);
		const [name] = readdirSync(plugins.cachedListings);
		const file = path.join(plugins.cachedListings, String(name));
		const good = readFileSync(file, "utf8");
		for (const bad of ["", good.slice(0, 20), "null", "\0\0"]) {
			writeFileSync(file, bad);
			assert.equal((await discovered(plugins)).state, undefined, bad);
			assert.equal(readFileSync(file, "utf8"), good);
		}
	});

	test("a folder that cannot be written, and none at all, harm nothing", async () => {
		const plugins = new PluginFolder();
		plugins.add("a");
		writeFileSync(plugins.cacheDir, "a file, where a folder should be");
		for (let round = 0; round < 2; round++) assert.equal((await discovered(plugins)).matches[0].name, "look");
		const others = new PluginFolder();
		others.add("a");
		for (let round = 0; round < 2; round++) {
			assert.equal((await discovered(others, { cache: false })).state, undefined);
		}
		assert.throws(() => readdirSync(others.cachedListings));
		await keptOnce(others);
		chmodSync(others.cachedListings, 0o500);
		others.add("a", { manifest: { description: "Another." } });
		assert.equal((await discovered(others)).matches[0].name, "look");
		chmodSync(others.cachedListings, 0o700);
	});

	test("processes that use it at once do not harm each other", async () => {
		const plugins = new PluginFolder();
		for (const prefix of ["a", "b", "c"]) plugins.add(prefix);
		const list = () => promisify(execFile)(process.execPath, [CLI, "list", "--json"], { env: plugins.env });
		const lists = await Promise.all(Array.from({ length: 4 }, list));
		for (const { stdout } of lists) {
			const { plugins: listed } = JSON.parse(stdout);
			const own = listed.filter(({ prefix }) => prefix.length === 1);
			assert.deepEqual(
				own.map(({ state, tools }) => [state, tools]),
				Array(3).fill(["ready", 1]),
			);
		}
		assert.equal((await discovered(plugins)).state, "idle");
	});
});
