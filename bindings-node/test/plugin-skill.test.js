import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { FIXTURES, GOOD, openHost } from "./open-host.js";

const skills = ["./skills/look.mjs", "./skills/relay.mjs"];

test("a skill sees its adapter whole, private fields included", async (t) => {
	const { dispatch } = openHost(t);
	await dispatch("open", { ...GOOD, skills });
	const { ok } = await dispatch("runSkill", { callId: "1", skill: "look", arguments: {} });
	assert.deepEqual(ok, {
		search: { query: "q", secret: "kept" },
		context: { secret: "kept" },
		label: "renamed",
		same: true,
		keys: ["label"],
		has: true,
		className: "Good",
	});
});

test("a skill's calls go through the core", async (t) => {
	/** @type {unknown[]} */
	const calls = [];
	const { dispatch } = openHost(t, {
		onSkillCall: async (callId, tool, argumentsJson) => {
			calls.push([callId, tool, argumentsJson]);
			return '{"content":[],"isError":false}';
		},
	});
	await dispatch("open", { ...GOOD, skills });
	const args = { tool: "echo", args: { a: 1 } };
	const { ok } = await dispatch("runSkill", { callId: "7", skill: "relay", arguments: args });
	assert.deepEqual(ok, { result: { content: [], isError: false }, aborted: false });
	await dispatch("runSkill", { callId: "8", skill: "relay", arguments: { tool: "echo" } });
	assert.deepEqual(calls, [
		["7", "echo", '{"a":1}'],
		["8", "echo", "{}"],
	]);
});

test("a refusal of the core is an error with code and hint inside the skill", async (t) => {
	const { dispatch } = openHost(t, {
		onSkillCall: async () => {
			throw Object.assign(new Error("consent is needed"), { code: "CONFIRM_REQUIRED", hint: "Add confirm." });
		},
	});
	await dispatch("open", { ...GOOD, skills });
	const { ok } = await dispatch("runSkill", { callId: "1", skill: "relay", arguments: { tool: "echo" } });
	assert.deepEqual(ok, {
		name: "AgentToolsError",
		message: "consent is needed",
		code: "CONFIRM_REQUIRED",
		hint: "Add confirm.",
	});
});

test("names of Object.prototype are no skills", async (t) => {
	const { dispatch } = openHost(t);
	await dispatch("open", { ...GOOD, skills });
	for (const skill of ["constructor", "__proto__", "toString"]) {
		assert.equal((await dispatch("runSkill", { callId: "1", skill, arguments: {} })).err?.code, "UNKNOWN_SKILL");
	}
});

test("a skill beside an MCP server can call its tools, and is told what it cannot", async (t) => {
	const { dispatch } = openHost(t, { onSkillCall: async (_, tool) => JSON.stringify({ content: [], tool }) });
	await dispatch("open", { dir: path.join(FIXTURES, "skills-only"), skills: ["skills/list.mjs"] });
	const run = (/** @type {Record<string, unknown>} */ args) =>
		dispatch("runSkill", { callId: "1", skill: "list", arguments: args });
	assert.equal((await run({})).ok.tool, "upstream_tool");
	const { err } = await run({ method: "listTools" });
	assert.equal(err?.code, "NOT_AVAILABLE");
	assert.match(err?.hint ?? "", /adapter\.call/);
	assert.match((await dispatch("listTools")).err?.message ?? "", /no method listTools/);
});
