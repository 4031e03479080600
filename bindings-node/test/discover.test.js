import assert from "node:assert/strict";
import { test } from "node:test";
import { searchText } from "../lib/cli/discover/text.js";
import { knownPrefix } from "../lib/cli/known-plugin.js";

/** @type {import("../index.d.ts").SearchHit} */
const explained = {
	plugin: "files",
	kind: "tool",
	name: "delete_file",
	score: 5.3012,
	explanation: {
		score: 5.3012,
		named: true,
		lexical: { value: 0.61, standard: 2.1 },
		meaning: { value: 0.512, standard: 1.6 },
		plugin: 0.001,
		words: [
			{ word: "borrar", matched: { as: "delete", via: "glossary", value: 0.4, fields: [["name", 0.3]] } },
			{
				word: "fiel",
				matched: {
					as: "file",
					via: "correction",
					value: 0.21,
					fields: [
						["name", 0.2],
						["parameterTexts", 0.01],
					],
				},
			},
			{ word: "temp" },
		],
	},
};

test("what is found is a table", () => {
	/** @type {import("../index.d.ts").SearchHit[]} */
	const hits = [
		{ plugin: "files", kind: "tool", name: "delete_file", score: 12.345 },
		{ plugin: "a", kind: "skill", name: "tidy", score: -0.5 },
	];
	assert.equal(
		searchText({ query: "delete", fits: true, hits, nearest: [], missing: [] }),
		[
			"    SCORE  PLUGIN  NAME         KIND",
			"1.  12.35  files   delete_file  tool",
			"2.  -0.50  a       tidy         skill",
			"",
		].join("\n"),
	);
});

test("an explanation says what each word, the meaning and the plugin brought", () => {
	assert.equal(
		searchText({ query: "borrar fiel temp", fits: true, hits: [explained], nearest: [], missing: [] }),
		[
			"    SCORE  PLUGIN  NAME         KIND",
			"1.   5.30  files   delete_file  tool",
			"      named: the search calls it by its name: it goes before all that are not",
			"      score 5.30 = words 2.10 + 2 × meaning 1.60 + plugin 0.00",
			"      words: 0.61 of 1 in common, 2.10 deviations above the mean",
			"        borrar as delete (its English)  0.40: name 0.30",
			"        fiel as file (nearly the same)  0.21: name 0.20, parameters' descriptions 0.01",
			"        temp                            not there",
			"      meaning: cosine 0.51, 1.60 deviations above the mean",
			"",
		].join("\n"),
	);
});

test("where nothing fits, that is said, with the nearest plugins", () => {
	const nothing = { query: "order a pizza", fits: false, hits: [], nearest: ["files", "git"], missing: [] };
	const next = "Search in other words; `agent-tools list` shows what there is.";
	assert.equal(searchText(nothing), `Nothing fits \`order a pizza\`. The nearest plugins: files, git. ${next}\n`);
	const some = searchText({ ...nothing, nearest: [], hits: [explained] });
	assert.match(
		some,
		/^Nothing fits `order a pizza`\. Search in other words.*\nWhat came nearest, which a model is not shown:\n +SCORE/,
	);
});

test("of a long search only the beginning is repeated", () => {
	const query = "pizza ".repeat(2000);
	const text = searchText({ query, fits: false, hits: [], nearest: [], missing: [] });
	assert.ok(text.length < 200, text);
	assert.match(text, /^Nothing fits `pizza pizza .*…`\./);
});

test("a plugin is known in upper case too, where no other is alike", () => {
	const plugins = ["demo", "Git", "git"].map((prefix) => /** @type {any} */ ({ prefix }));
	assert.equal(knownPrefix("DEMO", plugins), "demo");
	assert.equal(knownPrefix("git", plugins), "git");
	assert.throws(() => knownPrefix("GIT", plugins), /there is no plugin/);
});
