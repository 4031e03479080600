import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { discoverTokens, listText, measure } from "../lib/cli/cost/measure.js";
import { typicalQueries } from "../lib/cli/cost/queries.js";
import { costText } from "../lib/cli/cost/text.js";
import { loadTokenizer } from "../lib/cli/cost/tokenizer.js";

/** A token for each word. @param {string} text */
const words = (text) => text.split(/\s+/).filter(Boolean).length;

const schema = { type: "object" };

test("typical searches are the names in words and the openings of descriptions, spread over the tools", () => {
	assert.deepEqual(
		typicalQueries([
			{ name: "getStoryById", description: "One story" },
			{
				name: "list-all.stories",
				description: "Lists all the stories that there are, with their\nfull text and authors",
			},
			{ name: "HTTP_fetch", description: "" },
			{ name: "ping", description: "" },
		]),
		["get story by id", "Lists all the stories that there are, with", "http fetch", "ping"],
	);
	const many = Array.from({ length: 25 }, (_, n) => ({ name: `tool_${n}` }));
	assert.deepEqual(typicalQueries(many), [
		...["tool 0", "tool 2", "tool 5", "tool 7", "tool 10", "tool 12", "tool 15", "tool 17", "tool 20", "tool 22"],
	]);
	assert.deepEqual(typicalQueries([]), []);
});

test("a list is counted as a provider gets it", () => {
	const tool = { name: "a", title: "A", description: "b", inputSchema: schema, annotations: { readOnlyHint: true } };
	assert.equal(listText([tool]), '[{"name":"a","description":"b","inputSchema":{"type":"object"}}]');
});

test("a view is searched in each plugin by itself, in all at once, or not at all", async () => {
	/** @type {string[]} */
	const called = [];
	const runtime = runtimeOf(
		(view) => [`${view}_tool`, ...(view === "facade" ? ["agent_tools_a_discover"] : [])],
		called,
	);
	const searches = new Map([["a", ["one", "one two"]]]);
	assert.equal(await discoverTokens(runtime, words, { kind: "flat" }, searches), undefined);
	assert.deepEqual(await discoverTokens(runtime, words, { kind: "facade" }, searches), { queries: 2, mean: 4, max: 4 });
	assert.deepEqual(called, ["agent_tools_a_discover one", "agent_tools_a_discover one two"]);
	const unified = runtimeOf(() => ["agent_tools_discover"], called);
	assert.equal((await discoverTokens(unified, words, { kind: "facade" }, searches))?.queries, 2);
	assert.equal(called.at(-1), "agent_tools_discover one two");
});

test("each plugin is measured alone, and all of them together", async () => {
	const runtime = runtimeOf((kind, plugin) => (kind === "flat" ? [`${plugin ?? "all"}_x`, "read_more"] : ["verb"]), []);
	const { tools, views, plugins } = await measure(runtime, words);
	assert.equal(tools, 2);
	assert.deepEqual(Object.keys(views), ["flat", "facade", "unified", "auto"]);
	assert.deepEqual(
		plugins.map(({ prefix, tools }) => [prefix, tools]),
		[
			["a", 1],
			["b", 1],
		],
	);
	assert.equal(views.flat?.instructions, 3);
	const { plugins: only } = await measure(runtime, words, { plugin: "b" });
	assert.deepEqual(
		only.map(({ prefix }) => prefix),
		["b"],
	);
});

for (const rich of [false, true]) {
	test(`what is printed fits 80 columns, ${rich ? "in colour" : "in plain characters"}`, () => {
		const cost = (/** @type {number} */ tokens) => ({
			tools: 1234,
			tokens,
			instructions: 123,
			discover: { queries: 700, mean: 1234, max: 2345 },
		});
		const { discover, ...flat } = cost(1_234_567);
		const views = { flat, facade: cost(23_456), unified: cost(199), auto: cost(199) };
		const plugins = ["x".repeat(42), "b"].map((prefix) => ({ prefix, tools: 1234, views }));
		const text = costText({ tools: 2468, views, plugins }, { rich });
		const plain = stripVTControlCharacters(text);
		for (const line of plain.split("\n")) assert.ok(line.length <= 80, line);
		assert.equal(/[^\n -~]/.test(text), rich);
		assert.match(plain, /2 plugins with 2,468 tools and skills, in tokens of o200k_base/);
		assert.match(plain, rich ? /1,234,567 {2}█{25} {4}100 %/ : /1,234,567 {2}#{25} {4}100 %/);
		assert.match(plain, /auto .* 0\.0 % {2}= unified/);
		assert.match(plain, /flat {5}none: the view has no search/);
		assert.match(plain, /1234\/2345/);
		assert.match(plain, /x{5,}\.\. /);
	});
}

test("without the tokenizer it is said how to get it", async (t) => {
	const empty = mkdtempSync(path.join(tmpdir(), "agent-tools-cost-"));
	t.after(() => rmSync(empty, { recursive: true }));
	await assert.rejects(loadTokenizer([path.join(empty, "package.json")]), {
		code: "TOKENIZER_MISSING",
		hint: /npm install gpt-tokenizer/,
	});
});

test("tokens are those of o200k_base, and nothing in a text is a control token", async () => {
	const count = await loadTokenizer();
	assert.equal(count(""), 0);
	assert.equal(count("hello world"), 2);
	assert.equal(count("<|endoftext|>"), 7);
});

/**
 * @param {(kind: string, plugin?: string) => string[]} names of the tools of a view
 * @param {string[]} called
 * @returns {import("../index.d.ts").Runtime}
 */
function runtimeOf(names, called) {
	return /** @type {any} */ ({
		loadAll: async () => {},
		status: async () => ({ plugins: [{ prefix: "a" }, { prefix: "b" }], warnings: [] }),
		instructions: async () => "use them well",
		/** @param {{kind: string, plugin?: string}} view */
		tools: async ({ kind, plugin }) =>
			names(kind, plugin).map((name) => ({ name, description: `Does ${name}`, inputSchema: schema })),
		/** @param {string} tool @param {{query: string}} args */
		callTool: async (tool, { query }) => {
			called.push(`${tool} ${query}`);
			return { content: [{ type: "text", text: "these are four words" }], isError: false };
		},
	});
}
