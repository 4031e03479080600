import assert from "node:assert/strict";
import { test } from "node:test";
import { badPlugins } from "../fixtures/bad-plugins.js";
import { PiRun } from "./pi-run.js";

test("/agent-tools shows plugins, states and warnings on stderr, and stdout holds Pi's events only", async (t) => {
	const { run, exit } = await PiRun.once(t, {
		env: { AGENT_TOOLS_PLUGINS_DIR: badPlugins() },
		prompt: "/agent-tools",
		turns: [],
	});
	assert.equal(exit.code, 0, run.child.output);
	assert.equal(run.model.requests.length, 0);
	assert.match(run.child.stderr, /agent-tools: version \S+, \d+ plugins\n/);
	assert.match(run.child.stderr, /^ {2}demo +\w+/m);
	assert.match(run.child.stderr, /^ {2}throws +\w+/m);
	assert.match(run.child.stderr, /^ {2}warning: .*agent-tools-plugin-broken-manifest/m);
	for (const line of run.child.stdout.split("\n").filter(Boolean)) JSON.parse(line);
});

test("a new session gets a runtime of its own, and the old one's children are gone", async (t) => {
	const call = {
		tool_calls: [
			{ name: "agent_tools_everything_call", arguments: { toolName: "echo", arguments: { message: "hi" } } },
		],
	};
	const run = await PiRun.start(t, { mode: "rpc", turns: [call, { text: "done" }] });
	const servers = () => run.child.watch.descendants().filter(({ command }) => command.includes("server-everything"));

	run.send({ id: "1", type: "prompt", message: "go" });
	await run.child.until("first end", () => run.eventsOf("agent_settled").length === 1);
	const before = servers().map(({ key }) => key);
	assert.ok(before.length > 0);

	run.send({ id: "2", type: "new_session" });
	await run.child.until("new session", () => run.events.some(({ type, id }) => type === "response" && id === "2"));
	assert.deepEqual(servers(), []);

	run.send({ id: "3", type: "prompt", message: "go" });
	await run.child.until("second end", () => run.eventsOf("agent_settled").length === 2);
	assert.deepEqual(
		run.eventsOf("tool_execution_end").map(({ isError }) => isError),
		[false, false],
		run.child.output,
	);
	assert.ok(servers().length > 0);
	assert.ok(servers().every(({ key }) => !before.includes(key)));

	run.child.endInput();
	assert.equal((await run.child.exitWithin(10_000)).code, 0);
	assert.deepEqual(await run.child.watch.survivors(), []);
});
