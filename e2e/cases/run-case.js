import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { DOORS } from "./doors.js";
import { makePlugin } from "./plugin.js";
import { RUNNERS } from "./runners.js";

/**
 * A case of cases.jsonl at one door. `open` opens the same door once more, with another plugin behind it.
 *
 * @typedef {object} Run
 * @property {import("node:test").TestContext} t
 * @property {any} input
 * @property {string} doorName
 * @property {(content: import("./plugin.js").Content) => Promise<import("./doors.js").Door>} open
 *
 * What the runner of the case's kind gives to the check of its words: the door it used last and the answers it got.
 *
 * @typedef {Run & {door: import("./doors.js").Door, answers: import("./doors.js").Answer[], rest?: any}} Done
 * @typedef {(done: Done) => unknown} Check
 */

const CASES = new Map(
	readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line))
		.map((found) => [found.id, found]),
);

/**
 * Registers a test for each door and each case that has a check: the runner of its kind looks at what the case says
 * exactly, the check at what it says in words.
 *
 * @param {Record<string, Check>} checks by id
 */
export function runCases(checks) {
	for (const [id, check] of Object.entries(checks)) {
		const { symptom, input } = CASES.get(id);
		const run = RUNNERS[input.kind];
		assert.ok(run, `no runner for ${input.kind}`);
		describe(`${id} ${symptom}`, { timeout: 120_000, concurrency: true }, () => {
			for (const doorName of Object.keys(DOORS)) {
				test(`${id} ${doorName}`, async (t) => {
					const context = {
						t,
						input: scaled(id, structuredClone(input)),
						doorName,
						open: (content) => DOORS[doorName](t, makePlugin(t, content)),
					};
					await check({ ...context, ...(await run(context)) });
				});
			}
		});
	}
}

/** Long waits of a case, made short enough for a test: 90 s under a limit of 120 s are 3 s under one of 30 s. */
function scaled(id, input) {
	if (id !== "C112") return input;
	input.steps[0].do[0].sleep_ms = 3000;
	input.client[0].plugin_timeout_ms = 30_000;
	input.client[1].plugin_timeout_ms = 500;
	return input;
}

/**
 * The case's own words, for tests that speak the raw protocol and so need a shape of their own.
 *
 * @param {string} id
 */
export function inputOf(id) {
	return structuredClone(CASES.get(id).input);
}
