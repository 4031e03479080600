// The plugins as Agent Skills in Pi: for a person's /skill: commands, and for the model where that is wanted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PluginFolder } from "../life/plugin-folder.js";
import { PiRun } from "./pi-run.js";

/** @param {PiRun} run the system prompt of the first request */
const prompt = (run) => run.model.requests[0]?.body.messages[0].content ?? "";

test("a person loads a plugin's skill by its command, and the model is told of none", async (t) => {
	const call = { tool_calls: [{ name: "agent_tools_demo_call", arguments: { toolName: "list_issues" } }] };
	const { run, exit } = await PiRun.once(t, {
		prompt: "/skill:agent-tools-demo what is open?",
		turns: [call, { text: "done", expect: { last_tool_result: "Export notes" } }],
	});
	assert.equal(exit.code, 0, run.child.output);
	assert.deepEqual(run.model.complaints, []);
	assert.doesNotMatch(JSON.stringify(prompt(run)), /available_skills|agent-tools-demo/);
	const asked = JSON.stringify(run.model.requests[0]?.body.messages.at(-1));
	assert.match(asked, /agent_tools_demo_call .*toolName/);
	assert.match(asked, /what is open\?/);
});

test("AGENT_TOOLS_SKILLS=model shows one skill for each of a few plugins, in few words", async (t) => {
	const { run } = await PiRun.once(t, { env: { AGENT_TOOLS_SKILLS: "model" }, turns: [{ text: "done" }] });
	const [, listed = ""] = /<available_skills>(.*)<\/available_skills>/s.exec(textOf(prompt(run))) ?? [];
	const names = [...listed.matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name);
	assert.deepEqual(names.sort(), ["agent-tools-demo", "agent-tools-everything"]);
	const descriptions = [...listed.matchAll(/<description>(.*?)<\/description>/gs)].map(([, text = ""]) => text);
	for (const text of descriptions) assert.ok(text.length <= 300, text); // 240 characters, and XML's escapes
});

test("with many plugins the model is shown one skill that names them", async (t) => {
	const plugins = new PluginFolder();
	for (const prefix of "abcdefgh") plugins.add(prefix);
	const { run } = await PiRun.once(t, {
		env: { AGENT_TOOLS_SKILLS: "model", AGENT_TOOLS_PLUGINS_DIR: plugins.folder },
		turns: [{ text: "done" }],
	});
	const names = [...textOf(prompt(run)).matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name);
	assert.deepEqual(names, ["agent-tools"]);
	assert.match(textOf(prompt(run)), /<description>.*a, b, c, d, e, f, g, h.*<\/description>/);
});

test("AGENT_TOOLS_SKILLS=off leaves skills out, and another word is said", async (t) => {
	const off = await PiRun.once(t, {
		env: { AGENT_TOOLS_SKILLS: "off" },
		prompt: "/skill:agent-tools-demo",
		turns: [{ text: "done" }],
	});
	assert.doesNotMatch(JSON.stringify(off.run.model.requests[0]?.body), /toolName\\*":\\*"…/);
	const wrong = await PiRun.once(t, { env: { AGENT_TOOLS_SKILLS: "yes" }, turns: [{ text: "done" }] });
	assert.match(wrong.run.child.stderr, /AGENT_TOOLS_SKILLS is one of commands, model, off, not yes/);
});

/** @param {unknown} content */
function textOf(content) {
	return typeof content === "string" ? content : JSON.stringify(content);
}
