import assert from "node:assert/strict";
import { test } from "node:test";
import { PiRun } from "./pi-run.js";

const CALL = "agent_tools_everything_call";

const longCall = {
	tool_calls: [
		{
			name: CALL,
			arguments: { toolName: "trigger-long-running-operation", arguments: { duration: 120, steps: 60 }, confirm: true },
		},
	],
};

/**
 * Waits until the upstream server runs and the call had time to reach it.
 *
 * @param {PiRun} run
 */
async function duringTheCall(run) {
	await run.event("tool_execution_start", CALL);
	await run.child.until("upstream server", () =>
		run.child.watch.descendants().find(({ command }) => command.includes("server-everything")),
	);
	await new Promise((resolve) => setTimeout(resolve, 1500));
	assert.deepEqual(run.eventsOf("tool_execution_end"), []);
}

test("abort ends a running call promptly, and the session goes on", async (t) => {
	const run = await PiRun.start(t, {
		mode: "rpc",
		turns: [
			longCall,
			{ tool_calls: [{ name: CALL, arguments: { toolName: "echo", arguments: { message: "after" } } }] },
			{ text: "done" },
		],
	});
	run.send({ id: "1", type: "prompt", message: "go" });
	await duringTheCall(run);

	const abortedAt = Date.now();
	run.send({ id: "2", type: "abort" });
	const end = await run.event("tool_execution_end", CALL);
	await run.event("agent_settled");
	assert.ok(Date.now() - abortedAt < 15_000, `took ${Date.now() - abortedAt} ms`);
	assert.equal(end.isError, true);
	assert.match(JSON.stringify(end.result), /CANCELLED/);

	run.send({ id: "3", type: "prompt", message: "go on" });
	await run.child.until("second end", () => run.eventsOf("agent_settled").length === 2);
	const again = run.eventsOf("tool_execution_end", CALL)[1];
	assert.equal(again?.isError, false, JSON.stringify(again));

	run.child.endInput();
	assert.equal((await run.child.exitWithin(10_000)).code, 0);
	assert.deepEqual(await run.child.watch.survivors(), []);
});

// Pi ends its session in order on SIGTERM only; the other two give neither it nor the core a chance to say goodbye.
for (const [signal, end] of /** @type {const} */ ([
	["SIGTERM", 143],
	["SIGINT", "SIGINT"],
	["SIGKILL", "SIGKILL"],
])) {
	test(`${signal} during a call leaves no child`, async (t) => {
		const run = await PiRun.start(t, { turns: [longCall, { text: "done" }] });
		await duringTheCall(run);
		run.child.kill(signal);
		const exit = await run.child.exitWithin(10_000);
		assert.equal(exit.code ?? exit.signal, end, run.child.output);
		assert.deepEqual(await run.child.watch.survivors(), []);
	});
}
