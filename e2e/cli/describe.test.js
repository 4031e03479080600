import assert from "node:assert/strict";
import { test } from "node:test";
import { styleText } from "node:util";
import { desk, LIMIT, ON_TERMINAL } from "./desk.js";

const LOOK = { validateStream: false };

test("a plugin is described with a line for each tool", LIMIT, async (t) => {
	const { run } = desk(t);
	const { code, out } = await run(["describe", "desk"]);
	assert.equal(code, 0);
	assert.match(out, /^desk\n {2}plugin {2}desk\n {2}state {3}ready$/m);
	assert.match(out, /^ {2}show +reads +Gives back what it got\.$/m);
	assert.match(out, /^ {2}file +changes +Files an item$/m);
	assert.match(out, /^ {2}shred +destroys +Destroys every item$/m);
	const json = JSON.parse((await run(["describe", "desk", "--json"])).out);
	assert.equal(json.state, "ready");
	assert.deepEqual(json.offers[0], {
		kind: "tool",
		name: "show",
		description: "Gives back what it got. It never fails.",
		needsConfirm: false,
		annotations: { readOnlyHint: true },
	});
});

test("a tool is described whole, and its example can be typed", LIMIT, async (t) => {
	const { run, calls } = desk(t);
	const { out } = await run(["describe", "desk", "file"]);
	assert.match(out, /^desk\/file\n {2}tool +file\n {2}takes +\{ title: string, count\?: integer, /);
	assert.match(out, /^ {2}changes +it may change something$/m);
	assert.match(out, /^ {2}consent +needed: /m);
	assert.match(out, /^ {2}Files an item$/m);
	assert.match(out, /^Schema:\n {2}\{\n {4}"type": "object",/m);
	const [, example = ""] = /^Example:\n {2}agent-tools (.*)$/m.exec(out) ?? [];
	assert.equal((await run(example.split(" "))).code, 0, example);
	assert.deepEqual(calls(), ['file {"title":"TITLE"}']);

	const json = JSON.parse((await run(["describe", "desk", "file", "--json"])).out);
	assert.equal(json.changes, "mutating");
	assert.equal(json.needsConfirm, true);
	assert.deepEqual(Object.keys(json.inputSchema.properties).slice(0, 2), ["title", "count"]);
	assert.equal(json.inputSchema.properties.confirm, undefined);
});

test(
	"what is not there is said, and a plugin that does not start is described as far as it is known",
	LIMIT,
	async (t) => {
		const broken = { command: process.execPath, args: ["-e", "process.exit(1)"] };
		const { run, server } = desk(t, undefined);
		assert.match((await run(["describe", "desk", "shwo"])).err, /no tool or skill `shwo`\nhint: Did you mean `show`\?/);
		const other = desk(t, { mcpServers: { desk: server, broken } });
		const { code, out, err } = await other.run(["describe", "broken"]);
		assert.equal(code, 1);
		assert.match(out, /^broken\n.* {2}state +failed: /s);
		assert.match(err, /^error: /m);
	},
);

test("states, errors and hints have a colour on a terminal", ON_TERMINAL, async (t) => {
	const { onTerminal } = desk(t);
	const { shown: list } = await onTerminal(["list"]);
	assert.ok(list.includes(styleText("green", "ready", LOOK)), list);
	const { shown } = await onTerminal(["lst"]);
	for (const [style, kind] of /** @type {const} */ ([
		["red", "error:"],
		["cyan", "hint:"],
	])) {
		assert.ok(shown.includes(`${styleText(style, kind, LOOK)} `), shown);
	}
});
