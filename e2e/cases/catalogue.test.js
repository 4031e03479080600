// Names, pages and changes of what is listed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { CLI } from "../harness/paths.js";
import { StdioSession } from "../harness/stdio-session.js";
import { environment } from "./doors.js";
import { makePlugin } from "./plugin.js";
import { until } from "./raw-doors.js";
import { inputOf } from "./run-case.js";
import { call, discover, resultOf, stdioCase } from "./stdio-case.js";

/** What model providers take as a name. */
const LEGAL = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const TOOL = { name: "t", description: "test tool", inputSchema: { type: "object", properties: {} } };
const SKILL = { look: { description: "Calls t", steps: [{ id: "a", call: "t" }], result: "{{a}}" } };
const VIEWS = [{ kind: "facade" }, { kind: "flat" }];

/**
 * Plugins with these prefixes, each in a folder of its own, opened in this order.
 *
 * @param {import("node:test").TestContext} t
 * @param {string[]} prefixes
 */
async function openPlugins(t, prefixes, scenario = { tools: [TOOL] }) {
	const plugins = prefixes.map((prefix) => makePlugin(t, { scenario, manifest: { prefix }, skills: SKILL }));
	return { plugins, runtime: await open(t, plugins) };
}

async function open(t, plugins) {
	const pluginDirs = plugins.map(({ folder }) => folder);
	// None of the repository's own plugins.
	const runtime = await Runtime.open({ pluginDirs, packageRoot: pluginDirs[0] });
	t.after(() => runtime.close());
	return runtime;
}

/** The names of each view, all of them legal and none twice. */
async function namesOf(runtime, views = VIEWS) {
	const names = [];
	for (const view of views) {
		const listed = (await runtime.tools(view)).map(({ name }) => name);
		for (const name of listed) assert.match(name, LEGAL);
		assert.equal(new Set(listed).size, listed.length, String(listed));
		names.push(listed);
	}
	return names;
}

async function prefixesOf(runtime) {
	return (await runtime.status()).plugins.map(({ prefix }) => prefix);
}

/** A tool and a skill answer under this prefix. */
async function assertWorks(runtime, prefix) {
	const called = await runtime.call(prefix, "t");
	assert.equal(JSON.parse(called.content[0].text).result.raw, "ok");
	const ran = await runtime.runSkill(prefix, "look");
	assert.equal(ran.isError ?? false, false, ran.content[0].text);
}

test("C032 a prefix that is too long is shortened, the same way on every start, and works", async (t) => {
	const declared = inputOf("C032").plugins.map(({ prefix }) => prefix);
	const { runtime } = await openPlugins(t, declared);
	const [facade, flat] = await namesOf(runtime);
	const [prefix] = await prefixesOf(runtime);
	const longest = `agent_tools_${prefix}_run_skill`;
	assert.ok(facade.includes(longest) && longest.length <= 64, longest);
	assert.ok(flat.includes(`${prefix}_t`), String(flat));
	// Written down, as no other start, machine or version may call it otherwise.
	assert.equal(prefix, "very_long_very_long_very_long_ver_2c2cb1e4");
	const { warnings } = await runtime.status();
	assert.equal(warnings.length, 1);
	for (const part of [declared[0], prefix]) assert.ok(warnings[0].includes(part), warnings[0]);
	await assertWorks(runtime, prefix);
	const again = await openPlugins(t, declared);
	assert.deepEqual(await prefixesOf(again.runtime), [prefix]);
});

test("C034 a prefix may begin with a digit, and one with other characters is changed with a warning", async (t) => {
	const declared = inputOf("C034").plugins.map(({ prefix }) => prefix);
	const { runtime } = await openPlugins(t, declared);
	await namesOf(runtime);
	assert.deepEqual(await prefixesOf(runtime), declared);
	assert.deepEqual((await runtime.status()).warnings, []);
	await assertWorks(runtime, declared[0]);
	const flat = await runtime.callTool("_7zip_t", {}, { view: { kind: "flat" } });
	assert.equal(flat.content[0].text, "ok");

	for (const odd of ["io.github.x/server", "日本", "-x", "a b"]) {
		const { runtime } = await openPlugins(t, [odd]);
		await namesOf(runtime);
		const [prefix] = await prefixesOf(runtime);
		const { warnings } = await runtime.status();
		assert.equal(warnings.length, 1);
		for (const part of [JSON.stringify(odd), prefix]) assert.ok(warnings[0].includes(part), warnings[0]);
		await assertWorks(runtime, prefix);
	}
});

test("C036 prefixes that become alike stay apart, whatever the order in which they are found", async (t) => {
	const declared = inputOf("C036").plugins.map(({ prefix }) => prefix);
	const { plugins, runtime } = await openPlugins(t, declared);
	const names = await namesOf(runtime);
	const prefixes = await prefixesOf(runtime);
	assert.equal(new Set(prefixes).size, declared.length);
	assert.equal(names[0].length, 1 + 3 * declared.length);
	for (const prefix of prefixes) await assertWorks(runtime, prefix);
	for (const plugin of plugins) assert.equal(plugin.sent("tools/call").length, 2);

	const backwards = await open(t, plugins.toReversed());
	assert.deepEqual((await prefixesOf(backwards)).toReversed(), prefixes);
	// Nor does it matter which of them are there.
	const alone = await open(t, [plugins[2]]);
	assert.deepEqual(await prefixesOf(alone), [prefixes[2]]);
});

test("C036 the same prefix twice: the second plugin is refused with both paths, the first works", async (t) => {
	const { plugins, runtime } = await openPlugins(t, ["same", "same"]);
	await namesOf(runtime);
	assert.deepEqual(await prefixesOf(runtime), ["same"]);
	const { warnings } = await runtime.status();
	assert.equal(warnings.length, 1);
	for (const { folder } of plugins) assert.ok(warnings[0].includes(folder), warnings[0]);
	await assertWorks(runtime, "same");
	assert.deepEqual(
		plugins.map((plugin) => plugin.sent("tools/call").length),
		[2, 0],
	);
});

test("C036 upstream names that are long, odd or alike are legal and apart in the flat view", async (t) => {
	const long = "x".repeat(70);
	const odd = [`${long}1`, `${long}2`, "a.b", "a/b", "a b", "1st", "日本", "日木", "_", "skill_look", "confirm", "t"];
	const scenario = { tools: odd.map((name) => ({ ...TOOL, name })) };
	const { plugins, runtime } = await openPlugins(t, ["a", "a_b"], scenario);
	for (const view of [{ kind: "flat" }, { kind: "flat", plugin: "a" }]) {
		const [names] = await namesOf(runtime, [view]);
		const before = plugins[0].sent("tools/call").length;
		for (const name of names.filter((name) => name !== "read_more")) {
			const { isError, content } = await runtime.callTool(name, {}, { view });
			assert.equal(isError ?? false, false, `${name}: ${content[0].text}`);
		}
		// Each tool once, and `t` once more by the skill.
		const sent = plugins[0].sent("tools/call").slice(before);
		assert.deepEqual(sent.map(({ params }) => params.name).sort(), [...odd, "t"].sort());
	}
});

stdioCase("C038", async ({ door, answers: [found, called] }) => {
	assert.equal(found.found.tools, 101);
	assert.ok(found.text.startsWith("x: 101 tools."), found.text);
	assert.equal(found.found.incomplete, undefined);
	assert.equal(resultOf(called), "ok");
	assert.equal((await discover(door, "tool_101")).found.matches[0].name, "tool_101");
	// The fake server takes no cursor but the ones that it gave.
	assert.equal(door.plugin.sent("tools/list").length, 3);
});

/** The pages of the case, with something else about them. */
function pages(change, ...others) {
	const [step] = inputOf("C038").steps;
	return { steps: [...others, { ...step, do: [{ ...step.do[0], ...change }] }] };
}

stdioCase(
	"C038",
	({ door, answers: [{ found }] }) => {
		assert.equal(found.tools, 101);
		assert.equal(door.plugin.sent("tools/list").length, 3);
	},
	{ name: "an empty cursor is the end", scenario: pages({ last_cursor: "" }) },
);

stdioCase(
	"C038",
	async ({ door, answers: [{ found, text }] }) => {
		assert.equal(found.tools, 50);
		assert.match(text, /Incomplete: .*first 50 of its tools.*page is lost/);
		assert.equal(found.incomplete, true);
		assert.match(found.problem.error, /first 50 of its tools.*page is lost/);
		// Then it is asked for again.
		const { found: again } = await discover(door);
		assert.equal(again.tools, 101);
		assert.equal(again.incomplete, undefined);
		assert.equal(resultOf(await call(door, "tool_101")), "ok");
	},
	{
		name: "a second page that fails",
		client: [{ op: "discover" }],
		scenario: pages({}, { at: "tools/list", nth: 2, do: [{ fail: { code: -32603, message: "the page is lost" } }] }),
	},
);

test("C038 a second page that always fails: what is there works, and status says what is missing", async (t) => {
	const failing = { at: "tools/list", do: [{ fail: { code: -32603, message: "the page is lost" } }] };
	const [whole] = pages({}).steps;
	const scenario = { steps: [{ ...whole, nth: 1 }, failing] };
	const plugin = makePlugin(t, { scenario: { ...scenario, tools: [] } });
	const runtime = await open(t, [plugin]);
	await runtime.loadAll();
	const [status] = (await runtime.status()).plugins;
	assert.deepEqual([status.state, status.tools, status.incomplete], ["ready", 50, true]);
	assert.match(status.reason ?? "", /first 50/);
	assert.equal(JSON.parse((await runtime.call("x", "tool_50")).content[0].text).result.raw, "ok");
	const missing = await runtime.call("x", "tool_101");
	assert.match(missing.content[0].text, /PLUGIN_UNAVAILABLE|UPSTREAM_PROTOCOL/);
	// It is not asked again with every call.
	for (let time = 0; time < 20; time++) await runtime.call("x", "tool_1");
	assert.ok(plugin.sent("tools/list").length < 10, String(plugin.sent("tools/list").length));
});

stdioCase(
	"C038",
	({ door, answers: [{ found }] }) => {
		assert.equal(found.tools, 100);
		assert.match(found.problem.error, /came twice/);
		assert.ok(door.plugin.sent("tools/list").length <= 3);
	},
	{
		name: "a cursor that goes round in a circle",
		client: [{ op: "discover" }],
		scenario: pages({ repeat_cursor: "a" }),
	},
);

stdioCase("C040", async ({ door, answers: [overview, searched, called] }) => {
	const own = (await door.tools()).filter(({ name }) => name.startsWith("agent_tools_x_"));
	assert.ok(own.length >= 2 && own.length <= 3, String(own.length));
	assert.ok(overview.text.length < 1500, `${overview.text.length} characters`);
	assert.match(overview.text, /^x: 1500 tools\. How to call one: agent_tools_x_discover \{"query":/);
	assert.equal(searched.found.matches[0].name, "tool_1499");
	assert.equal(resultOf(called), "ok");
	const began = Date.now();
	await discover(door, "tool_7");
	assert.ok(Date.now() - began < 5000);
	if (door.name !== "in process") assert.ok(residentMb(door.pid) < 400, `${residentMb(door.pid)} MB`);
});

function residentMb(pid) {
	const [, kb] = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+) kB/) ?? [];
	return Number(kb) / 1024;
}

/** The case's change of `list_items`, told after the first list. */
const CHANGED = { scenario: {}, manifest: { requireConfirm: true } };

/**
 * Until the change has been heard of. A listing that is being renewed is shown as it was.
 *
 * @param {() => Promise<boolean>} isThere
 */
async function changed(isThere) {
	for (const end = Date.now() + 20_000; Date.now() < end; ) {
		if (await isThere()) return;
	}
	assert.fail("the changed list was never asked for");
}

/** The tool is shown as one that changes something. */
const needsConsent = (door) => async () => (await discover(door)).found.matches[0].readOnly === false;

/** The list was asked for once more; a call waits until it has come. */
const listedAgain = (plugin, ask) => async () => {
	await ask();
	return plugin.sent("tools/list").length > 1;
};

const FREE = /** @type {const} */ ({ definitions: "off" });

// What holds where the user lets definitions change; otherwise a changed tool is not there at all (e2e/trust).
const justDiscover = { client: [{ op: "discover" }], trust: FREE };

stdioCase(
	"C042",
	async ({ door }) => {
		await changed(needsConsent(door));
		// Over stdio each view is a server of its own, which has seen no change.
		if (door.name !== "stdio") {
			const [shown] = await door.tools({ kind: "flat", plugin: "x" });
			assert.equal(shown.annotations.readOnlyHint, false);
			assert.ok(shown.inputSchema.properties.confirm, JSON.stringify(shown));
		}

		const refused = await call(door, "list_items");
		assert.equal(refused.code, "CONFIRM_REQUIRED", refused.text);
		assert.match(refused.failure.error, /definition has changed/);
		assert.deepEqual(door.plugin.sent("tools/call"), []);
		// Once; then the manifest's word counts again.
		assert.equal(resultOf(await call(door, "list_items", {}, true)), "ok");
		assert.equal(resultOf(await call(door, "list_items")), "ok");
		assert.equal((await discover(door)).found.matches[0].readOnly, true);
	},
	{ ...CHANGED, ...justDiscover, name: "a changed tool of readonlyTools asks once" },
);

stdioCase(
	"C042",
	async ({ door }) => {
		await changed(needsConsent(door));
		// It says now that it may destroy something, which nobody can be asked about here.
		for (const confirm of [true, undefined]) {
			const answer = await call(door, "list_items", {}, confirm);
			assert.equal(answer.code, confirm ? "POLICY_DENIED" : "CONFIRM_REQUIRED", answer.text);
		}
		assert.deepEqual(door.plugin.sent("tools/call"), []);
	},
	{
		...justDiscover,
		name: "one that is read-only by its annotation follows the annotation",
		manifest: { ...CHANGED.manifest, readonlyTools: [] },
	},
);

/** @param {boolean} readOnly */
const annotated = (readOnly) => ({ name: "list_items", annotations: { readOnlyHint: readOnly } });
const RAISED = [
	{
		at: "after_first_list",
		do: [{ set_tools: [annotated(true)] }, { notify: { method: "notifications/tools/list_changed" } }],
	},
];

stdioCase(
	"C042",
	async ({ door }) => {
		await changed(listedAgain(door.plugin, () => discover(door)));
		for (const confirm of [true, undefined]) {
			const answer = await call(door, "list_items", {}, confirm);
			assert.equal(answer.code, confirm ? undefined : "CONFIRM_REQUIRED", answer.text);
		}
	},
	{
		...justDiscover,
		name: "an annotation never lowers the need",
		manifest: { ...CHANGED.manifest, readonlyTools: [] },
		scenario: { tools: [annotated(false)], steps: RAISED },
	},
);

stdioCase("C042", ({ answers: [called] }) => assert.equal(resultOf(called), "ok"), {
	client: [{ op: "call", toolName: "list_items", arguments: {} }],
	name: "an announcement without a change, while the server starts, asks for nothing",
	manifest: { ...CHANGED.manifest, readonlyTools: [] },
	scenario: {
		steps: [{ at: "after_first_list", do: [{ notify: { method: "notifications/tools/list_changed" } }] }],
	},
});

test("C042 the change is logged with what has changed", async (t) => {
	const { tools, steps, plugin: manifest } = inputOf("C042");
	const plugin = makePlugin(t, {
		scenario: { tools, steps },
		manifest: { ...manifest, ...CHANGED.manifest },
		trust: FREE,
	});
	const session = new StdioSession("legacy", process.execPath, [CLI, "mcp"], {
		env: { ...environment(plugin), AGENT_TOOLS_LOG: "warn" },
	});
	t.after(() => session.child.kill());
	await session.open();
	const ask = () => session.request("tools/call", { name: "agent_tools_x_discover", arguments: {} });
	await ask();
	await changed(listedAgain(plugin, ask));
	await until(() => /read-only tool has changed/.test(session.stderr));
	assert.match(session.stderr, /plugin="x" tool="list_items" changed="description, annotations"/);
});
