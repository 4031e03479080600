import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** @typedef {{id: string, server: string, name: string}} Tool */
/** @typedef {{query: string, relevant: string[], groups: string[][]}} Query */

const tools = /** @type {Tool[]} */ (jsonLines("../livemcp/tools.jsonl"));
const queries = /** @type {Query[]} */ (jsonLines("queries.jsonl"));
const serverOf = new Map(tools.map(({ id, server }) => [id, server]));

test("every id is a tool, and relevant is the union of the groups", () => {
	for (const { query, relevant, groups } of queries) {
		assert.ok(groups.length > 0, query);
		for (const group of groups) {
			assert.ok(group.length > 0, query);
			assert.equal(new Set(group).size, group.length, `${query}: an id twice in a group`);
		}
		for (const id of relevant) assert.ok(serverOf.has(id), `${query}: no tool ${id}`);
		assert.deepEqual([...relevant].sort(), [...new Set(groups.flat())].sort(), query);
	}
});

test("there are enough queries, and none twice", () => {
	assert.ok(queries.length >= 140, `${queries.length} queries`);
	assert.equal(new Set(queries.map(({ query }) => withoutAccents(query).toLowerCase().trim())).size, queries.length);
	for (const { query } of queries) assert.equal(query, query.trim().normalize("NFC"));
});

test("the servers are covered, none by far more than the others", () => {
	/** @type {Map<string, number>} */
	const asked = new Map();
	for (const { groups } of queries) {
		for (const server of new Set(groups.map(([first]) => serverOf.get(first ?? "") ?? ""))) {
			asked.set(server, (asked.get(server) ?? 0) + 1);
		}
	}
	assert.ok(asked.size >= 60, `${asked.size} servers`);
	for (const [server, count] of asked) assert.ok(count <= 5, `${server}: ${count} queries`);
});

test("people type with and without accents, for one tool and for several", () => {
	const accented = queries.filter(({ query }) => withoutAccents(query) !== query);
	assert.ok(accented.length >= 40, `${accented.length} with accents`);
	assert.ok(queries.length - accented.length >= 40, `${queries.length - accented.length} without`);
	assert.ok(queries.filter(({ groups }) => groups.length > 1).length >= 10);
});

/**
 * @param {string} file beside this one
 * @returns {unknown[]}
 */
function jsonLines(file) {
	const text = readFileSync(new URL(file, import.meta.url), "utf8");
	return text
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
}

/** @param {string} text */
function withoutAccents(text) {
	return text.normalize("NFD").replace(/\p{M}/gu, "");
}
