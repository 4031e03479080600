import assert from "node:assert/strict";
import { test } from "node:test";
import { PiRun } from "./pi-run.js";

const env = { AGENT_TOOLS_NATIVE_PATH: "/nowhere/agent-tools-runtime.node" };

test("without the native binary Pi still answers, and stderr names the remedy", async (t) => {
	const { run, exit } = await PiRun.once(t, { env, turns: [{ text: "still here" }] });
	assert.equal(exit.code, 0, run.child.output);
	assert.equal(run.answer, "still here");
	const lines = run.child.stderr.split("\n").filter((line) => line.startsWith("agent-tools: "));
	assert.equal(lines.length, 1, run.child.stderr);
	assert.match(lines[0] ?? "", /NATIVE_MISSING.*AGENT_TOOLS_NATIVE_PATH/);
});

test("with a person at hand the warning is a notification too", async (t) => {
	const run = await PiRun.start(t, { env, mode: "rpc", turns: [] });
	const notice = await run.child.until("notification", () =>
		run.events.find(({ type, method }) => type === "extension_ui_request" && method === "notify"),
	);
	assert.match(notice.message, /NATIVE_MISSING/);
	assert.equal(notice.notifyType, "warning");
	run.child.endInput();
	assert.equal((await run.child.exitWithin(10_000)).code, 0);
});
