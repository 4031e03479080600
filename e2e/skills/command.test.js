// `agent-tools skills`: files for Claude Code, Codex and others, and none of anybody else's harmed.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CLI } from "../harness/paths.js";
import { PluginFolder } from "../life/plugin-folder.js";
import { temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";

/** Plugins, a working folder, and the command in it. @param {import("node:test").TestContext} t */
function project(t) {
	const plugins = new PluginFolder();
	plugins.add("x");
	plugins.add("y");
	const cwd = temporaryFolder("agent-tools-skills");
	const env = { PATH: process.env.PATH, HOME: cwd, ...plugins.ownEnv };
	const run = async (/** @type {string[]} */ ...args) => {
		const child = new Spawned(t, process.execPath, [CLI, ...args], { cwd, env });
		const { code } = await child.exitWithin(60_000);
		return { code, stdout: child.stdout, stderr: child.stderr };
	};
	const file = (/** @type {string} */ name) => path.join(cwd, ".claude/skills", name, "SKILL.md");
	const written = async (/** @type {string[]} */ ...args) => {
		const { code, stdout, stderr } = await run("skills", "--out", ".claude/skills", "--json", ...args);
		assert.equal(code, 0, stderr);
		const { files } = JSON.parse(stdout);
		return Object.fromEntries(files.map((/** @type {any} */ { name, state }) => [name, state]));
	};
	return { plugins, run, file, written };
}

test("without --out it says what there is, and writes nothing", async (t) => {
	const { plugins, run, file } = project(t);
	const { code, stdout, stderr } = await run("skills");
	assert.equal(code, 0, stderr);
	assert.match(stdout, /^agent-tools-x: .*\n/m);
	assert.match(stderr, /Nothing was written\..*\.claude\/skills.*\.agents\/skills/);
	assert.ok(!existsSync(file("agent-tools-x")));
	assert.deepEqual(plugins.starts("x"), []);
});

test("files say more once a plugin has been listed, and only what is new is written", async (t) => {
	const { plugins, run, file, written } = project(t);
	const before = await written();
	assert.equal(before["agent-tools-x"], "written");
	assert.doesNotMatch(readFileSync(file("agent-tools-x"), "utf8"), /`look`/);
	assert.equal((await run("list")).code, 0);
	const started = plugins.starts("x");
	assert.equal((await written())["agent-tools-x"], "written");
	assert.match(readFileSync(file("agent-tools-x"), "utf8"), /- `look` \(reads\)/);
	assert.equal((await written())["agent-tools-x"], "unchanged");
	assert.deepEqual(plugins.starts("x"), started, "listed by `list` alone");
});

test("files of others stay, and ours of a plugin that is gone stay until they are to be removed", async (t) => {
	const { plugins, file, written } = project(t);
	mkdirSync(path.dirname(file("agent-tools-x")), { recursive: true });
	writeFileSync(file("agent-tools-x"), "mine");
	assert.deepEqual(pick(await written(), ["agent-tools-x", "agent-tools-y"]), ["foreign", "written"]);
	assert.equal(readFileSync(file("agent-tools-x"), "utf8"), "mine");
	plugins.remove("y");
	assert.deepEqual(pick(await written(), ["agent-tools-y"]), ["stale"]);
	assert.ok(existsSync(file("agent-tools-y")));
	assert.deepEqual(pick(await written("--prune"), ["agent-tools-x", "agent-tools-y"]), ["foreign", "removed"]);
	assert.ok(!existsSync(path.dirname(file("agent-tools-y"))));
});

test("one skill may name all plugins, and one plugin may be chosen", async (t) => {
	const { run, file, written } = project(t);
	assert.deepEqual(await written("--one", "--view", "facade"), { "agent-tools": "written" });
	assert.match(readFileSync(file("agent-tools"), "utf8"), /agent_tools_<prefix>_discover/);
	assert.deepEqual(await written("--plugin", "y"), { "agent-tools": "stale", "agent-tools-y": "written" });
	const { code, stderr } = await run("skills", "--plugin", "z");
	assert.equal(code, 2, stderr);
	assert.match(stderr, /there is no plugin `z`/);
});

test("a folder that cannot be written is said, with what to do", async (t) => {
	const { run, file } = project(t);
	mkdirSync(path.dirname(path.dirname(path.dirname(file("x")))), { recursive: true });
	writeFileSync(path.dirname(path.dirname(file("x"))), "a file");
	const { code, stderr } = await run("skills", "--out", ".claude/skills");
	assert.equal(code, 1);
	assert.match(stderr, /error: .*SKILL\.md cannot be written.*\nhint: Name a folder/);
});

/** @param {Record<string, string>} states @param {string[]} names */
function pick(states, names) {
	return names.map((name) => states[name]);
}
