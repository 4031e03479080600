import assert from "node:assert/strict";
import { test } from "node:test";
import { PiRun } from "./pi-run.js";

/** @param {string} name @param {object} [args] */
const turn = (name, args) => ({ tool_calls: [{ name, arguments: args ?? {} }] });

/** @param {any} event a `tool_execution_end` */
const payload = (event) => JSON.parse(event.result.content[0].text);

test("Pi finds and calls a tool of a real MCP server, runs a skill, and exits by itself with no child left", async (t) => {
	const { run, exit } = await PiRun.once(t, {
		turns: [
			{
				...turn("agent_tools_everything_discover", { query: "add two numbers" }),
				expect: {
					tools: [
						"agent_tools_help",
						"agent_tools_everything_discover",
						"agent_tools_everything_call",
						"agent_tools_demo_discover",
						"agent_tools_demo_call",
						"agent_tools_demo_run_skill",
					],
				},
			},
			{
				expect: { last_tool_result: "get-sum" },
				tool_calls: [
					{
						name: "agent_tools_everything_call",
						arguments: { toolName: "echo", arguments: { message: "marker-4711" } },
					},
					{ name: "agent_tools_everything_call", arguments: { toolName: "get-sum", arguments: { a: 40, b: 2 } } },
				],
			},
			{
				...turn("agent_tools_demo_run_skill", { skill: "issue-summary", arguments: {} }),
				expect: { last_tool_result: ["marker-4711", "42"] },
			},
			{ text: "The skill said {{last_tool_result}}", expect: { no_tool_result: '"isError":true' } },
		],
	});

	assert.deepEqual({ code: exit.code, signal: exit.signal }, { code: 0, signal: null }, run.child.output);
	assert.deepEqual(run.model.complaints, []);
	assert.ok(exit.ms < 30_000, `took ${exit.ms} ms`);
	assert.deepEqual(await run.child.watch.survivors(), []);
	const ends = run.eventsOf("tool_execution_end");
	assert.deepEqual(
		ends.map(({ isError }) => isError),
		[false, false, false, false],
		JSON.stringify(ends, null, 1),
	);
	assert.match(run.answer, /^The skill said \{/);
});

test("the declared tools are the same, byte for byte, in every request", async (t) => {
	const { run } = await PiRun.once(t, {
		turns: [
			turn("agent_tools_demo_discover"),
			turn("agent_tools_demo_call", { toolName: "list_issues" }),
			{ text: "done" },
		],
	});
	const declared = run.model.requests.map(({ body }) => JSON.stringify(body.tools));
	const prompts = run.model.requests.map(({ body }) => JSON.stringify(body.messages[0]));
	assert.equal(declared.length, 3);
	assert.equal(new Set(declared).size, 1);
	assert.equal(new Set(prompts).size, 1);
});

test("the system prompt names every tool in one line, and one guideline covers all plugins", async (t) => {
	const { run } = await PiRun.once(t, { turns: [{ text: "done" }] });
	const prompt = JSON.stringify(run.model.requests[0]?.body.messages[0]);
	const tools = run.model.requests[0]?.tool_names.filter((name) => name.startsWith("agent_tools_")) ?? [];
	assert.ok(tools.length >= 6, tools.join());
	for (const name of tools) assert.ok(prompt.includes(`${name}: `), `${name} has no line in ${prompt}`);
	assert.equal(prompt.split("agent_tools_*: ").length, 2);
});

test("--tools with a pattern keeps the tools", async (t) => {
	const { run, exit } = await PiRun.once(t, {
		args: ["--tools", "read,agent_tools_*"],
		turns: [turn("agent_tools_demo_discover"), { text: "done", expect: { last_tool_result: "list_issues" } }],
	});
	assert.equal(exit.code, 0, run.child.output);
	assert.deepEqual(run.model.complaints, []);
	assert.ok(!run.model.requests[0]?.tool_names.includes("bash"));
});

test("a failure reaches Pi's event and the model's text with its code", async (t) => {
	const { run } = await PiRun.once(t, {
		turns: [
			turn("agent_tools_demo_call", { toolName: "no_such_tool", arguments: {} }),
			{ text: "done", expect: { last_tool_result: ["UNKNOWN_TOOL", "hint"] } },
		],
	});
	assert.deepEqual(run.model.complaints, []);
	const [end] = run.eventsOf("tool_execution_end");
	assert.equal(end.isError, true);
	assert.equal(end.result.details.code, "UNKNOWN_TOOL");
	assert.equal(typeof end.result.details.hint, "string");
});

test("a mutating tool and a mutating skill need confirm: true", async (t) => {
	const create = { toolName: "create_issue", arguments: { title: "made by Pi" } };
	const skill = { skill: "create-and-verify-issue", arguments: { title: "made by a skill" } };
	const list = { toolName: "list_issues", arguments: {} };
	const { run } = await PiRun.once(t, {
		turns: [
			turn("agent_tools_demo_call", create),
			{ ...turn("agent_tools_demo_call", list), expect: { last_tool_result: "CONFIRM_REQUIRED" } },
			{
				...turn("agent_tools_demo_call", { ...create, confirm: true }),
				expect: { no_tool_result: "made by Pi" },
			},
			turn("agent_tools_demo_call", list),
			{ ...turn("agent_tools_demo_run_skill", skill), expect: { last_tool_result: "made by Pi" } },
			{
				...turn("agent_tools_demo_run_skill", { ...skill, confirm: true }),
				expect: { last_tool_result: "CONFIRM_REQUIRED" },
			},
			{ text: "done", expect: { last_tool_result: "made by a skill" } },
		],
	});
	assert.deepEqual(run.model.complaints, []);
	const ends = run.eventsOf("tool_execution_end");
	assert.deepEqual(
		ends.map(({ isError, result }) => (isError ? result.details.code : "ok")),
		["CONFIRM_REQUIRED", "ok", "ok", "ok", "CONFIRM_REQUIRED", "ok"],
		JSON.stringify(ends.map(payload), null, 1),
	);
});

test("wrong shapes of a call reach the core, which repairs or explains them", async (t) => {
	const { run } = await PiRun.once(t, {
		turns: [
			{
				tool_calls: [
					{
						name: "agent_tools_everything_call",
						arguments: { toolName: "echo", arguments: '{"message":"from a string"}' },
					},
					{
						name: "agent_tools_everything_call",
						arguments: { arguments: { toolName: "echo", arguments: { message: "one level too deep" } } },
					},
					{ name: "agent_tools_everything_call", arguments: { toolName: "echo", arguments: { text: "wrong key" } } },
				],
			},
			{ text: "done", expect: { last_tool_result: ["from a string", "one level too deep", "ARG_VALIDATION_FAILED"] } },
		],
	});
	assert.deepEqual(run.model.complaints, []);
});

test("progress of a long call reaches Pi while it runs", async (t) => {
	const long = { toolName: "trigger-long-running-operation", arguments: { duration: 1, steps: 4 }, confirm: true };
	const { run } = await PiRun.once(t, { turns: [turn("agent_tools_everything_call", long), { text: "done" }] });
	const updates = run.eventsOf("tool_execution_update");
	assert.ok(updates.length >= 2, JSON.stringify(run.eventsOf("tool_execution_end")));
	assert.match(JSON.stringify(updates[0]), /1\/4/);
});

test("an image stays an image", async (t) => {
	const { run } = await PiRun.once(t, {
		turns: [turn("agent_tools_everything_call", { toolName: "get-tiny-image", arguments: {} }), { text: "done" }],
	});
	const [end] = run.eventsOf("tool_execution_end");
	const image = end.result.content.find((/** @type {any} */ part) => part.type === "image");
	assert.equal(image?.mimeType, "image/png", JSON.stringify(end));
});
