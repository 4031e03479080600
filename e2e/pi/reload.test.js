// Plugins that come and go while Pi runs: the model's next request has the tools of then.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PluginFolder } from "../life/plugin-folder.js";
import { PiRun } from "./pi-run.js";

/** @param {any} request the tools that the model was shown */
const declared = ({ body }) =>
	body.tools
		.map((/** @type {any} */ { function: { name } }) => name)
		.filter((/** @type {string} */ name) => /^agent_tools_[ab]_/.test(name));

test("a plugin that is added is declared, one that is removed is not, and what goes on works", async (t) => {
	const plugins = new PluginFolder();
	plugins.add("a");
	const call = { tool_calls: [{ name: "agent_tools_b_call", arguments: { toolName: "look" } }] };
	const run = await PiRun.start(t, {
		mode: "rpc",
		env: { AGENT_TOOLS_PLUGINS_DIR: plugins.folder },
		turns: [{ text: "one" }, call, { text: "two" }, { text: "three" }],
	});
	const say = async (/** @type {string} */ id) => {
		const before = run.eventsOf("agent_settled").length;
		run.send({ id, type: "prompt", message: "go" });
		await run.child.until(`end of ${id}`, () => run.eventsOf("agent_settled").length > before);
	};
	/** Until the command lists plugins like this. */
	const listed = (/** @type {RegExp} */ plugins, wanted = true) =>
		run.child.until(`${plugins} ${wanted}`, () => {
			const last = run.child.stderr.split("agent-tools: version").at(-1) ?? "";
			const found = plugins.test(last) === wanted;
			if (!found) run.send({ type: "prompt", message: "/agent-tools" });
			return found;
		});
	const a = ["agent_tools_a_discover", "agent_tools_a_call"];
	const b = ["agent_tools_b_discover", "agent_tools_b_call"];

	await say("1");
	assert.deepEqual(run.model.requests.map(declared), [a]);
	plugins.add("b");
	await listed(/^ {2}b /m);
	await say("2");
	assert.deepEqual(run.model.requests.slice(1).map(declared), [
		[...a, ...b],
		[...a, ...b],
	]);
	const [end] = run.eventsOf("tool_execution_end", "agent_tools_b_call");
	assert.equal(end.isError, false, run.child.output);
	plugins.remove("b");
	await listed(/^ {2}b /m, false);
	await say("3");
	assert.deepEqual(run.model.requests.slice(3).map(declared), [a]);

	run.child.endInput();
	assert.equal((await run.child.exitWithin(10_000)).code, 0);
	assert.deepEqual(await run.child.watch.survivors(), []);
});
