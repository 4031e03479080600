// `agent-tools discover` as a person runs it, over plugins with real tools: it finds what a model's `discover` finds.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { Runtime } from "../../bindings-node/index.js";
import { writeLivemcpPlugins } from "../harness/livemcp-plugins.js";
import { CLI } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { temporaryFolder } from "../processes/places.js";

const folder = temporaryFolder("agent-tools-discover");
const plugins = path.join(folder, "plugins");
writeLivemcpPlugins(plugins, { servers: 8 });
const env = { ...process.env, AGENT_TOOLS_PLUGINS_DIR: plugins, AGENT_TOOLS_CACHE_DIR: path.join(folder, "cache") };

test("the hits are those of a model's search, in their order", async () => {
	const { stdout } = await discover("--plugin", "git", "--json", "create", "a", "branch");
	const found = JSON.parse(stdout);
	assert.equal(found.query, "create a branch");
	assert.equal(found.fits, true);
	assert.ok(found.hits.every(({ explanation }) => explanation === undefined));
	await using runtime = await Runtime.open({ pluginDirs: [plugins], packageRoot: null, config: false, cache: false });
	const reply = await runtime.discover("git", "create a branch");
	assert.deepEqual(names(found.hits), names(reply._meta["agent-tools/discover"].matches));
	assert.equal(found.hits[0].name, "git_create_branch");
});

test("a place is explained by the words that were looked for, and their sum", async () => {
	const { stdout } = await discover("--plugin", "git", "--explain", "--json", "--limit", "1", "crear una brnach");
	const [{ score, explanation, ...hit }, ...others] = JSON.parse(stdout).hits;
	assert.deepEqual(hit, { plugin: "git", kind: "tool", name: "git_create_branch" });
	assert.deepEqual(others, []);
	assert.deepEqual(
		explanation.words.map(({ word, matched }) => [word, matched.via]),
		[
			["crear", "glossary"],
			["brnach", "correction"],
		],
	);
	const { lexical, meaning, plugin, words } = explanation;
	near(score, lexical.standard + 2 * meaning.standard + plugin);
	near(
		lexical.value,
		words.reduce((sum, { matched }) => sum + matched.value, 0),
	);
	for (const { matched } of words) {
		near(
			matched.value,
			matched.fields.reduce((sum, [, share]) => sum + share, 0),
		);
	}

	const readable = await discover("--plugin", "git", "--explain", "--limit", "1", "crear una brnach");
	assert.match(readable.stdout, /^1\. +[\d.]+ {2}git +git_create_branch +tool\n +score [\d.]+ = words/m);
	assert.match(readable.stdout, /crear as creat\w* \(its English\) +[\d.]+: name/);
	assert.match(readable.stdout, /brnach as branch\w* \(nearly the same\) +[\d.]+: name/);
});

test("that nothing fits is an answer, and a wrong option is none", async () => {
	const { stdout } = await discover("--plugin", "git", "order a pizza");
	assert.match(stdout, /^Nothing fits `order a pizza`\. The nearest plugins: git\. Search in other words;/);
	for (const [args, message] of [
		[["--plugin", "gitt", "a"], /error: there is no plugin `gitt`\nhint: Did you mean `git`\?/],
		[["--limit", "0", "a"], /error: the limit must be a whole number from 1 to 100, not `0`/],
	]) {
		const { code, stderr } = await discover(...args).catch((error) => error);
		assert.equal(code, 2);
		assert.match(stderr, message);
	}
});

test("what could not be searched is named, with the reason", async () => {
	const config = path.join(folder, "agent-tools.json");
	const mcpServers = { gone: { command: "no-such-program" } };
	writeFileSync(config, JSON.stringify({ mcpServers, plugins: onlyRepositoryPlugins() }));
	const { stdout, stderr } = await discover("--config", config, "--json", "create a branch");
	const { hits, missing } = JSON.parse(stdout);
	assert.equal(hits[0].plugin, "git");
	assert.deepEqual(
		missing.map((/** @type {{plugin: string}} */ { plugin }) => plugin),
		["gone"],
	);
	assert.match(missing[0].why, /no-such-program/);
	assert.match(stderr, /^warning: gone was not searched: .*no-such-program/m);
});

test("a pin that shows nothing is told by list", async () => {
	const config = path.join(folder, "pins.json");
	writeFileSync(config, JSON.stringify({ pin: ["git/nope"] }));
	const { stderr } = await promisify(execFile)(process.execPath, [CLI, "list", "--config", config], { env });
	assert.match(stderr, /^warning: pin "git\/nope": no plugin has a tool or skill of that name/m);
});

/** @param {string[]} args */
function discover(...args) {
	return promisify(execFile)(process.execPath, [CLI, "discover", ...args], { env });
}

/** @param {{plugin: string, name: string}[]} entries */
function names(entries) {
	return entries.map(({ plugin, name }) => `${plugin}/${name}`);
}

/**
 * Equal but for the rounding of single precision.
 *
 * @param {number} actual
 * @param {number} expected
 */
function near(actual, expected) {
	assert.ok(Math.abs(actual - expected) < 1e-3 * Math.max(1, Math.abs(expected)), `${actual} is not ${expected}`);
}
