import assert from "node:assert/strict";
import { test } from "node:test";
import { fallen, table } from "./scores.mjs";

const SETS = ["step", "task", "keywords", "step among others"].map((name) => `livemcp ${name}`);
const OTHERS = ["metatool single", "metatool multi", "metatool keywords", "bfcl", "bfcl keywords", "spanish"];

/** @param {number} recallAt5 */
function all(recallAt5) {
	return Object.fromEntries([...SETS, ...OTHERS].map((set) => [set, { recallAt5, refused: 0.01 }]));
}

test("a score that falls, a set that is gone and a floor that is missed are told", () => {
	assert.deepEqual(fallen(all(0.9), all(0.89)), []);
	assert.equal(fallen(all(0.9), all(0.889)).length, SETS.length + OTHERS.length);
	assert.deepEqual(fallen(all(0.9), { ...all(0.9), bfcl: { recallAt5: 0.9, refused: 0.03 } }), [
		"bfcl: refused was 0.01 and is 0.03",
	]);
	const { spanish: _, ...without } = all(0.9);
	assert.deepEqual(fallen(all(0.9), without), [
		"spanish: recallAt5 was 0.9 and is missing",
		"spanish: refused was 0.01 and is missing",
		"spanish: R@5 is 0, and must be 0.75 at least",
	]);
	assert.deepEqual(fallen({}, { ...all(0.9), bfcl: { recallAt5: 0.884 } }), [
		"bfcl: R@5 is 0.884, and must be 0.885 at least",
	]);
});

test("the table is aligned", () => {
	const scores = {
		bfcl: { queries: 887, recallAt1: 0.6, recallAt5: 0.891, ndcgAt10: 0.79, refused: 0 },
		"fit: git": { unfitRefused: 1, fittingRefused: null },
	};
	assert.equal(
		table(scores),
		[
			"set   queries    R@1    R@5  nDCG@10  refused",
			"bfcl      887  0.600  0.891    0.790    0.000",
			"",
			"nothing fits  refused rightly  refused wrongly",
			"fit: git                1.000                –",
		].join("\n"),
	);
});
