// `agent-tools cost` as a person runs it: what it prints is what the lists and replies are.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { Runtime } from "../../bindings-node/index.js";
import { atRest } from "../../bindings-node/lib/cli/cost/measure.js";
import { loadTokenizer } from "../../bindings-node/lib/cli/cost/tokenizer.js";
import { writeLivemcpPlugins } from "../harness/livemcp-plugins.js";
import { CLI } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { temporaryFolder } from "../processes/places.js";

const folder = temporaryFolder("agent-tools-cost");
const plugins = path.join(folder, "plugins");
writeLivemcpPlugins(plugins, { servers: ["weather", "hackernews", "Ant Design Components"] });
const config = path.join(folder, "agent-tools.json");
writeFileSync(config, JSON.stringify({ plugins: onlyRepositoryPlugins() }));

test("the numbers are those of the view, of the plugin alone, and of its searches", async () => {
	const { stdout } = await cost("--json", "--plugin", "hackernews");
	const report = JSON.parse(stdout);
	assert.equal(report.tokenizer, "o200k_base");
	assert.deepEqual(report.warnings, []);
	assert.deepEqual(
		report.plugins.map(({ prefix, tools }) => ({ prefix, tools })),
		[{ prefix: "hackernews", tools: 9 }],
	);
	await using runtime = await Runtime.open({ pluginDirs: [plugins], packageRoot: null, config: false, cache: false });
	const count = await loadTokenizer();
	for (const kind of ["flat", "facade", "unified"]) {
		const { discover, ...rest } = report.views[kind];
		assert.deepEqual(rest, await atRest(runtime, count, { kind, plugin: "hackernews" }));
		assert.equal(discover?.queries, kind === "flat" ? undefined : 9);
	}
	assert.ok(report.views.flat.tokens > report.views.facade.tokens);
});

test("what is printed names every view and plugin, in plain characters where no terminal reads it", async () => {
	const { stdout, stderr } = await cost();
	assert.match(stdout, /^\d+ plugins with \d+ tools and skills, in tokens of o200k_base$/m);
	for (const view of ["flat", "facade", "unified", "auto"]) assert.match(stdout, new RegExp(`^ {2}${view} `, "m"));
	for (const prefix of ["weather", "hackernews", "Ant_Design_"]) assert.ok(stdout.includes(prefix));
	assert.doesNotMatch(stdout, /[^\n -~]/);
	assert.equal(stderr, "");
});

test("a plugin that there is not is a wrong command line", async () => {
	const { code, stderr } = await cost("--plugin", "hakernews").catch((error) => error);
	assert.equal(code, 2);
	assert.match(stderr, /error: there is no plugin `hakernews`\nhint: Did you mean `hackernews`\?/);
});

/** @param {string[]} args */
function cost(...args) {
	const command = [CLI, "cost", "--plugins-dir", plugins, "--config", config, ...args];
	return promisify(execFile)(process.execPath, command, {
		cwd: folder,
		env: { ...process.env, AGENT_TOOLS_PLUGINS_DIR: "", AGENT_TOOLS_CACHE_DIR: path.join(folder, "cache") },
	});
}
