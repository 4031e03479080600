// A hundred servers: listed from the cache with none started, each started when it is called, all stopped when unused.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Spawned } from "../processes/spawned.js";
import { isAlive } from "./is-alive.js";
import { PluginFolder, tool } from "./plugin-folder.js";

const HOST = fileURLToPath(new URL("hundred-host.mjs", import.meta.url));
const COUNT = 100;
/** Long enough that none is stopped before the last one is called, on a slow machine too. */
const IDLE_MS = 15_000;
/** Generous: these bounds tell a list that waits for servers, or a leak, from one that does not. */
const LIST_MS = 3000;
const MORE_MB = 64;

test(`${COUNT} servers`, { timeout: 300_000 }, async (t) => {
	const plugins = new PluginFolder();
	const prefixes = Array.from({ length: COUNT }, (_, n) => `s${n}`);
	for (const prefix of prefixes) plugins.offer(prefix, [tool("look"), tool("other")]);
	const inline = prefixes.map((prefix) => plugins.settings(prefix, { idleMs: IDLE_MS }));
	const optionsFile = path.join(path.dirname(plugins.folder), "options.json");
	writeFileSync(optionsFile, JSON.stringify({ ...plugins.options, plugins: inline }));
	const host = async (/** @type {string} */ what) => {
		const options = { cwd: process.cwd(), env: plugins.env };
		const spawned = new Spawned(t, process.execPath, ["--expose-gc", HOST, optionsFile, what], options);
		const { code } = await spawned.exitWithin(150_000);
		assert.equal(code, 0, spawned.output);
		assert.deepEqual(await spawned.watch.survivors(), []);
		return JSON.parse(spawned.stdout);
	};

	assert.deepEqual(await host("keep"), { failed: [] });
	for (const prefix of prefixes) assert.equal(plugins.starts(prefix).length, 1);

	const { pids, ...seen } = await host("use");
	t.diagnostic(JSON.stringify(seen));
	assert.equal(seen.facade, 1 + 2 * COUNT);
	assert.equal(seen.flat, 2 * COUNT + 1);
	assert.equal(seen.childrenAtFirst, 0);
	assert.ok(seen.facadeMs < LIST_MS && seen.flatMs < LIST_MS, JSON.stringify(seen));
	assert.deepEqual(
		prefixes.map((prefix) => plugins.starts(prefix)[1]),
		pids,
		"each was started once, by its call",
	);
	for (const prefix of prefixes) assert.equal(plugins.starts(prefix).length, 2);
	assert.equal(seen.childrenAtMost, COUNT);
	assert.equal(seen.childrenAtLast, 0);
	assert.deepEqual(pids.filter(isAlive), []);
	assert.ok(seen.mbAtLast - seen.mbAtFirst < MORE_MB, JSON.stringify(seen));
});
