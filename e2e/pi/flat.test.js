// The flat view: every tool and skill is deferred, and found by Pi's own search and by its scripts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { badPlugins } from "../fixtures/bad-plugins.js";
import { temporaryFolder } from "../processes/places.js";
import { PiRun } from "./pi-run.js";

const FLAT = { AGENT_TOOLS_VIEW: "flat" };

/** @param {string} name @param {object} [args] */
const turn = (name, args) => ({ tool_calls: [{ name, arguments: args ?? {} }] });

/** @param {any} body a request's @returns {string[]} the tools that are ours, or make ours reachable */
const declared = ({ tools }) =>
	tools
		.map((/** @type {any} */ tool) => tool.function.name)
		.filter((/** @type {string} */ name) => /__|^tool_search$|^read_more$|^agent_tools/.test(name));

test("tool_search finds tools and skills, and the calls of both work", async (t) => {
	const { run, exit } = await PiRun.once(t, {
		env: FLAT,
		turns: [
			{
				...turn("tool_search", { query: "list the open issues", limit: 1 }),
				expect: { tools: ["tool_search", "read_more"], absent_tools: ["demo__list_issues", "agent_tools_help"] },
			},
			{
				...turn("demo__list_issues", { state: "open" }),
				expect: { tools: ["demo__list_issues"], last_tool_result: "demo__list_issues" },
			},
			{
				...turn("tool_search", { query: "summary of all issues", limit: 1 }),
				expect: { no_tool_result: '"isError":true' },
			},
			{
				...turn("demo__skill_issue-summary"),
				expect: { tools: ["demo__skill_issue-summary"], last_tool_result: "demo__skill_issue-summary" },
			},
			{ ...turn("tool_search", { query: "sum of two numbers", limit: 1 }), expect: { last_tool_result: "open" } },
			{
				...turn("everything__get-sum", { a: 40, b: 2 }),
				expect: { tools: ["everything__get-sum"], last_tool_result: "everything__get-sum" },
			},
			{ text: "It is {{last_tool_result}}", expect: { last_tool_result: "42" } },
		],
	});
	assert.equal(exit.code, 0, run.child.output);
	assert.deepEqual(run.model.complaints, []);
	assert.deepEqual(await run.child.watch.survivors(), []);
	const ends = run.eventsOf("tool_execution_end");
	assert.deepEqual(
		ends.map(({ isError }) => isError),
		Array(6).fill(false),
		JSON.stringify(ends, null, 1),
	);
});

test("what Pi declares before a search is the same in every request, and names the services", async (t) => {
	const { run } = await PiRun.once(t, {
		env: FLAT,
		turns: [turn("read_more", { id: "none" }), turn("read_more", { id: "none" }), { text: "done" }],
	});
	const lists = run.model.requests.map(({ body }) => JSON.stringify(body.tools));
	assert.equal(lists.length, 3);
	assert.equal(new Set(lists).size, 1);
	assert.deepEqual(declared(run.model.requests[0]?.body).sort(), ["read_more", "tool_search"]);
	const [system] = run.model.requests[0]?.body.messages ?? [];
	assert.match(JSON.stringify(system), /find them with tool_search.*- demo: .*- everything: /s);
});

test("a script of codemode finds a tool and a skill, sees exact signatures, and calls both", async (t) => {
	const script = `
		const found = await searchTools("close an issue", { namespace: "demo" });
		const skill = await searchTools("issue summary skill");
		const { tools: listed, description } = await describeNamespace("agent-tools-plugin-demo");
		const signature = await describeTool("demo__create_issue");
		const issues = await tools.demo__list_issues({ state: "open" });
		const summary = await tools.demo__skill_issue_summary({});
		text({ found: found[0].name, skill: skill[0].name, listed: listed.length, description, signature, issues, summary });`;
	const { run } = await PiRun.once(t, {
		env: FLAT,
		args: ["--tools", "+codemode"],
		turns: [turn("codemode", { code: script }), { text: "done" }],
	});
	const [end] = run.eventsOf("tool_execution_end", "codemode");
	const text = end.result.content.map((/** @type {any} */ part) => part.text).join("");
	assert.match(text, /Script completed/, text);
	assert.match(text, /"found":\s*"demo__close_issue"/);
	assert.match(text, /"skill":\s*"demo__skill_issue_summary"/);
	assert.match(text, /title: string/);
});

test("what may change something needs confirm: true here too", async (t) => {
	const { run } = await PiRun.once(t, {
		env: FLAT,
		turns: [
			turn("tool_search", { query: "create an issue" }),
			turn("demo__create_issue", { title: "made by Pi" }),
			{
				...turn("demo__create_issue", { title: "made by Pi", confirm: true }),
				expect: { last_tool_result: "CONFIRM_REQUIRED" },
			},
			{ text: "done", expect: { last_tool_result: "made by Pi" } },
		],
	});
	assert.deepEqual(run.model.complaints, []);
	const annotations = run.eventsOf("tool_execution_end", "demo__create_issue").map(({ isError }) => isError);
	assert.deepEqual(annotations, [true, false]);
});

test("plugins that do not start keep neither Pi nor a search waiting, and are told to a person", async (t) => {
	const { run, exit } = await PiRun.once(t, {
		env: { ...FLAT, AGENT_TOOLS_PLUGINS_DIR: badPlugins() },
		files: { "agent-tools.json": { deadlines: { loadMs: 3000, moduleMs: 3000 } } },
		turns: [
			turn("tool_search", { query: "list the open issues", limit: 1 }),
			{ text: "done", expect: { last_tool_result: "demo__list_issues" } },
		],
	});
	assert.equal(exit.code, 0, run.child.output);
	assert.deepEqual(run.model.complaints, []);
	for (const prefix of ["throws", "hangs", "loops"]) {
		assert.match(run.child.stderr, new RegExp(`${prefix} cannot be listed\\. PLUGIN_UNAVAILABLE`));
	}
	assert.deepEqual(await run.child.watch.survivors(), []);
});

test("what an earlier session has learnt is found without starting anything", async (t) => {
	const env = { ...FLAT, AGENT_TOOLS_CACHE_DIR: temporaryFolder("pi-flat-cache") };
	const search = turn("tool_search", { query: "sum of two numbers", limit: 1 });
	const found = { text: "found", expect: { last_tool_result: "everything__get-sum" } };
	const first = await PiRun.once(t, { env, turns: [search, found] });
	assert.deepEqual(first.run.model.complaints, []);

	const call = turn("everything__get-sum", { a: 40, b: 2 });
	const run = await PiRun.start(t, {
		env,
		mode: "rpc",
		turns: [search, found, call, { text: "called", expect: { last_tool_result: "42" } }],
	});
	const say = async (/** @type {string} */ message) => {
		const before = run.eventsOf("agent_settled").length;
		run.send({ type: "prompt", message });
		await run.child.until("the end", () => run.eventsOf("agent_settled").length > before);
	};
	await say("find");
	run.send({ type: "prompt", message: "/agent-tools" });
	await run.child.until("nothing started", () => /^ {2}everything +idle +19 tools/m.test(run.child.stderr));
	await say("call");
	run.child.endInput();
	assert.equal((await run.child.exitWithin(10_000)).code, 0);
	assert.deepEqual(run.model.complaints, []);
});

test("the flag goes before the variable, and a word that is no view is said", async (t) => {
	const { run } = await PiRun.once(t, {
		env: FLAT,
		args: ["--agent-tools-view", "facade"],
		turns: [{ text: "done", expect: { tools: ["agent_tools_help"], absent_tools: ["tool_search"] } }],
	});
	assert.deepEqual(run.model.complaints, []);
	const wrong = await PiRun.once(t, {
		env: { AGENT_TOOLS_VIEW: "flatt" },
		turns: [{ text: "done", expect: { tools: ["agent_tools_help"] } }],
	});
	assert.deepEqual(wrong.run.model.complaints, []);
	assert.match(wrong.run.child.stderr, /AGENT_TOOLS_VIEW is one of facade, unified, flat, auto, not flatt/);
});

test("an allow list without tool_search is told to a person", async (t) => {
	const { run } = await PiRun.once(t, { env: FLAT, args: ["--tools", "read"], turns: [{ text: "done" }] });
	assert.match(run.child.stderr, /neither tool_search nor codemode/);
});
