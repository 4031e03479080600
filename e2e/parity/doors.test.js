import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { http, inProcess, stdio } from "./doors.js";

const FACADE = { kind: "facade" };
const UNIFIED = { kind: "unified" };
const VIEWS = [
	FACADE,
	UNIFIED,
	{ kind: "auto" },
	{ kind: "flat" },
	{ kind: "flat", plugin: "notes" },
	{ kind: "facade", plugin: "notes" },
	{ kind: "unified", plugin: "notes" },
];

const written = JSON.parse(readFileSync(new URL("requests.json", import.meta.url), "utf8"));
// Searches come first: an overview names what was used, and a session over stdio knows the calls of its own view only.
const searches = ({ call: [tool] }) => tool.endsWith("_discover");
const all = [...written, ...written.flatMap(overAllPlugins)];
const requests = [...all.filter(searches), ...all.filter((request) => !searches(request))];

/** The same request in the unified view, which is answered as in the facade. */
function overAllPlugins({ name, view = FACADE, call: [tool, args], expect }) {
	const [, plugin, verb] = tool.match(/^agent_tools_(notes|real)_(discover|call|run_skill)$/) ?? [];
	if (view.kind !== "facade" || !plugin) return [];
	const text = expect.text?.map((wanted) => wanted.replace(`agent_tools_${plugin}_`, "agent_tools_"));
	return [
		{
			name: `unified: ${name}`,
			view: UNIFIED,
			call: [`agent_tools_${verb}`, { plugin, ...args }],
			expect: { ...expect, ...(text && { text }) },
		},
	];
}

describe("one behaviour at every door", { timeout: 300_000 }, async () => {
	// Doors open more sessions while tests run, and an `after` called then would belong to that one test.
	const closers = [];
	after(() => Promise.all(closers.map((close) => close())));
	const t = { after: (close) => closers.push(close) };

	const reference = await inProcess(t);
	const others = await Promise.all([stdio(t, "legacy"), stdio(t, "modern"), http(t, "legacy"), http(t, "modern")]);

	for (const view of VIEWS) {
		test(`tool list, view ${JSON.stringify(view)}`, async (t) => {
			const expected = await reference.tools(view);
			assert.ok(expected.length > 0);
			for (const door of others) {
				await t.test(door.name, async () => assertSameBytes(await door.tools(view), expected));
			}
		});
	}

	for (const { name, view = FACADE, call, expect } of requests) {
		test(name, async (t) => {
			const answer = await reference.call(view, ...call);
			await t.test("answers as it should", () => check(answer, expect));
			for (const door of others) {
				await t.test(door.name, async () => assertSameBytes(await door.call(view, ...call), answer));
			}
		});
	}
});

/** Same bytes, not just same meaning: the order of keys counts too. Shows the first difference with what is around it. */
function assertSameBytes(actual, expected) {
	const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value));
	if (got === wanted) return;
	const at = [...wanted].findIndex((char, index) => char !== got[index]);
	const around = (text) => text.slice(Math.max(0, at - 60), at + 120);
	assert.equal(around(got), around(wanted), "the doors differ");
	assert.fail("the doors differ in length");
}

function check(answer, { isError = false, code, text = [], parts, structured }) {
	const whole = JSON.stringify(answer);
	if (answer.refused) {
		assert.equal(answer.refused.code, code, whole);
	} else {
		assert.equal(answer.isError, isError, whole);
		if (code) assert.equal(JSON.parse(answer.content[0].text).code, code, whole);
		if (parts)
			assert.deepEqual(
				answer.content.map(({ type }) => type),
				parts,
				whole,
			);
		if (structured) assert.deepEqual(answer.structuredContent, structured, whole);
	}
	const read = answer.refused
		? Object.values(answer.refused).join("\n")
		: answer.content.map((part) => part.text).join("\n");
	for (const wanted of text) assert.ok(read.includes(wanted), `${JSON.stringify(wanted)} is not in ${read}`);
	assert.ok(isError || code || !/"isError":true/.test(read), whole);
}
