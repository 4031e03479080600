// A model that repeats itself: what has one reading succeeds at once, what has none ends soon.

import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlugin } from "../cases/plugin.js";
import { PiRun } from "./pi-run.js";

const TIMES = 50;
const WITHIN_MS = 120_000;
const TOOLS = [
	{
		name: "get_repo",
		description: "Gets a repository",
		inputSchema: {
			type: "object",
			properties: { repo: { type: "string" }, limit: { type: "integer" } },
			required: ["repo"],
		},
	},
	{ name: "list_repos", description: "Lists repositories", inputSchema: { type: "object", properties: {} } },
];

/** @param {object[]} calls arguments of `agent_tools_x_call`, one a turn */
const turns = (calls) => [
	...calls.map((args) => ({ tool_calls: [{ name: "agent_tools_x_call", arguments: args }] })),
	{ text: "done" },
];

/** @param {(n: number) => object} call */
const repeated = (call) => Array.from({ length: TIMES }, (_, n) => call(n));

/** @param {import("node:test").TestContext} t @param {object[]} calls */
async function play(t, calls) {
	const plugin = makePlugin(t, { scenario: { tools: TOOLS } });
	const env = { AGENT_TOOLS_PLUGINS_DIR: plugin.folder };
	const { run, exit } = await PiRun.once(t, { turns: turns(calls), env, withinMs: WITHIN_MS });
	assert.equal(exit.code, 0, run.child.output);
	assert.equal(run.answer, "done");
	const ends = run.eventsOf("tool_execution_end");
	assert.equal(ends.length, calls.length);
	// An error's text begins with its code, for the model to see.
	const answers = ends.map(({ isError, result }) => ({ isError, text: result.content[0].text }));
	return { answers, reached: plugin.sent("tools/call").map(({ params }) => params) };
}

for (const [what, call] of [
	["arguments nested in themselves", (n) => ({ toolName: "get_repo", arguments: { arguments: { repo: `a/${n}` } } })],
	["a call one level too deep", (n) => ({ arguments: { toolName: "get_repo", arguments: { repo: `a/${n}` } } })],
]) {
	test(`${what}, ${TIMES} times: each succeeds at once, and says what was repaired`, async (t) => {
		const { answers, reached } = await play(t, repeated(call));
		for (const { isError, text } of answers) {
			assert.equal(isError, false, text);
			assert.equal(JSON.parse(text).notes.length, 1, text);
		}
		assert.deepEqual(
			reached.map(({ name, arguments: args }) => ({ name, args })),
			repeated((n) => ({ name: "get_repo", args: { repo: `a/${n}` } })),
		);
	});
}

for (const [what, call] of [
	["the same wrong call", () => ({ toolName: "get_repo", arguments: {} })],
	["wrong arguments that vary", (n) => ({ toolName: "get_repo", arguments: { limit: n, [`guess${n}`]: "a/b" } })],
]) {
	test(`${what}, ${TIMES} times: it is refused soon, reaches nobody, and blocks no other tool`, async (t) => {
		const { answers, reached } = await play(t, [...repeated(call), { toolName: "list_repos" }]);
		const looped = answers.slice(0, TIMES);
		assert.ok(
			looped.every(({ isError }) => isError),
			JSON.stringify(looped),
		);
		const validated = looped.filter(({ text }) => text.includes("ARG_VALIDATION_FAILED") && text.includes('"details"'));
		assert.ok(validated.length >= 1 && validated.length <= 5, `${validated.length} were validated`);
		for (const { text } of looped.slice(5)) {
			assert.match(text, /REPEATED_FAILURE/);
			assert.match(text, /Stop repeating it/);
		}
		assert.equal(answers.at(-1)?.isError, false, answers.at(-1)?.text);
		assert.deepEqual(
			reached.map(({ name }) => name),
			["list_repos"],
		);
	});
}
