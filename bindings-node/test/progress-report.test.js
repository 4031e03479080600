import assert from "node:assert/strict";
import { test } from "node:test";
import { progressReporter } from "../lib/progress-report.js";

/** @param {unknown[]} given */
function reported(...given) {
	/** @type {import("../index.js").Progress[]} */
	const seen = [];
	const progress = progressReporter((json) => void seen.push(JSON.parse(json)));
	for (const report of given) progress(report);
	return seen;
}

test("a well-made report is passed on, without what it does not know", () => {
	assert.deepEqual(reported({ progress: 1, total: 2, message: "half", more: 3 }), [
		{ progress: 1, total: 2, message: "half" },
	]);
	assert.deepEqual(reported({ progress: 0, total: Number.NaN, message: 5 }), [{ progress: 0 }]);
});

test("a number or a text alone says what it means", () => {
	assert.deepEqual(reported(5), [{ progress: 5 }]);
	assert.deepEqual(reported("50%"), [{ progress: 1, message: "50%" }]);
});

test("messages without a number grow, and hide no number that follows", () => {
	const steps = reported({ message: "a" }, { progress: Number.NaN, message: "b" });
	assert.deepEqual(steps, [
		{ progress: 1, message: "a" },
		{ progress: 2, message: "b" },
	]);
	const [first, between, next] = reported({ progress: 50, total: 100 }, { message: "b" }, { progress: 51 });
	assert.ok(Number(first?.progress) < Number(between?.progress) && Number(between?.progress) < Number(next?.progress));
});

test("what says nothing is ignored, and nothing throws", () => {
	const evil = new Proxy({}, { get: () => assert.fail("read") });
	assert.deepEqual(
		reported(undefined, null, Number.NaN, {}, { progress: "5" }, Symbol("x"), () => 1, evil),
		[],
	);
	const progress = progressReporter(() => assert.fail("closed"));
	assert.doesNotThrow(() => progress({ progress: 1 }));
});
