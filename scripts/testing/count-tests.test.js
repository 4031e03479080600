import assert from "node:assert/strict";
import { test } from "node:test";
import { countTests } from "./count-tests.mjs";

test("node's summary is counted, cancelled tests as failed", () => {
	const output = "ℹ tests 9\nℹ suites 1\nℹ pass 4\nℹ fail 2\nℹ cancelled 1\nℹ skipped 1\nℹ todo 1\nℹ duration_ms 1\n";
	assert.deepEqual(countTests(output), { passed: 4, failed: 3, skipped: 2 });
	assert.deepEqual(countTests(output.replaceAll("ℹ", "#")), { passed: 4, failed: 3, skipped: 2 });
});

test("each of cargo's summaries is counted", () => {
	const output =
		"test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n" +
		"test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n";
	assert.deepEqual(countTests(output), { passed: 15, failed: 2, skipped: 1 });
});

test("what a test prints is no summary", () => {
	assert.deepEqual(countTests("expected: ℹ pass 4\n  # fail 3\npass 3\n"), { passed: 0, failed: 0, skipped: 0 });
});
