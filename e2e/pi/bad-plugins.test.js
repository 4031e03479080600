import assert from "node:assert/strict";
import { test } from "node:test";
import { badPlugins } from "../fixtures/bad-plugins.js";
import { PiRun } from "./pi-run.js";

const BROKEN = ["throws", "hangs", "loops"];

test("broken plugins harm only themselves", async (t) => {
	const { run, exit } = await PiRun.once(t, {
		env: { AGENT_TOOLS_PLUGINS_DIR: badPlugins() },
		withinMs: 120_000, // a plugin may take long to load, so the core waits a minute before it gives one up
		turns: [
			{
				expect: { tools: BROKEN.map((prefix) => `agent_tools_${prefix}_discover`) },
				tool_calls: [
					...BROKEN.map((prefix) => ({ name: `agent_tools_${prefix}_discover`, arguments: { query: "anything" } })),
					{ name: "agent_tools_demo_call", arguments: { toolName: "list_issues", arguments: {} } },
				],
			},
			{ text: "done" },
		],
	});

	assert.equal(exit.code, 0, run.child.output);
	assert.deepEqual(run.model.complaints, []);
	const [good] = run.eventsOf("tool_execution_end", "agent_tools_demo_call");
	assert.equal(good.isError, false, JSON.stringify(good));
	assert.ok(good.durationMs < 5000, `the good plugin waited ${good.durationMs} ms for the bad ones`);
	for (const prefix of BROKEN) {
		const [bad] = run.eventsOf("tool_execution_end", `agent_tools_${prefix}_discover`);
		assert.equal(bad.isError, true, JSON.stringify(bad));
		assert.equal(bad.result.details.code, "PLUGIN_UNAVAILABLE", JSON.stringify(bad));
	}
	const [thrown] = run.eventsOf("tool_execution_end", "agent_tools_throws_discover");
	assert.match(thrown.result.content[0].text, /this plugin always fails to load/);
	assert.match(run.child.stderr, /^agent-tools: .*agent-tools-plugin-broken-manifest/m);
	assert.deepEqual(await run.child.watch.survivors(), []);
});

test("broken plugins that are not used cost nothing", async (t) => {
	const { run, exit } = await PiRun.once(t, {
		env: { AGENT_TOOLS_PLUGINS_DIR: badPlugins() },
		turns: [{ text: "done" }],
	});
	assert.equal(exit.code, 0, run.child.output);
	assert.equal(run.answer, "done");
	assert.ok(exit.ms < 10_000, `took ${exit.ms} ms`);
});
