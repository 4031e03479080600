import assert from "node:assert/strict";
import { assertForwarded, assertShows } from "../runners.js";
import { assertRan } from "./arguments.js";

const CALL = "agent_tools_x_call";

/**
 * What the case about endless repetition says in words.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C017: async ({ input, open, answers }) => {
		for (const { code, failure, text } of answers) {
			assert.equal(failure.retryable, false, text);
			assert.ok(["ARG_VALIDATION_FAILED", "REPEATED_FAILURE"].includes(code), text);
		}
		// The third one explains everything, and from the fifth on nothing is tried.
		assert.deepEqual(
			answers.slice(0, 6).map(({ code }) => code),
			[...Array(4).fill("ARG_VALIDATION_FAILED"), ...Array(2).fill("REPEATED_FAILURE")],
		);
		for (const { failure, text } of answers.slice(2, 4)) {
			assert.ok(failure.schema, text);
			assertShows(failure.example, '"repo":');
			assertShows(failure.hint, /stop/i);
		}
		for (const { code, failure } of answers.slice(4)) {
			assert.equal(code, "REPEATED_FAILURE");
			assertShows(failure.hint, /stop/i);
		}

		const [tool] = input.upstream_tools;
		const door = await open({ scenario: { tools: [tool, { ...tool, name: "other" }] } });
		const call = (toolName, args, session = "first") =>
			door.call(CALL, { toolName, arguments: args }, { session }).then((answer) => answer.code);
		const good = { repo: "a/b" };
		for (let time = 0; time < 4; time++) assert.equal(await call("get_repo", {}), "ARG_VALIDATION_FAILED");
		assert.equal(await call("get_repo", {}), "REPEATED_FAILURE");
		assert.equal(await call("get_repo", {}, "second"), "ARG_VALIDATION_FAILED", "another session is not refused");
		assert.equal(await call("other", good), undefined, "another tool is not refused");

		// One success, and the counting starts anew.
		const fresh = "third";
		for (let round = 0; round < 2; round++) {
			for (let time = 0; time < 3; time++) assert.equal(await call("get_repo", {}, fresh), "ARG_VALIDATION_FAILED");
			assertRan(await door.call(CALL, { toolName: "get_repo", arguments: good }, { session: fresh }));
		}
		assertForwarded(door, [good, good, good]);

		await downUpstream(open, input);
	},
};

/** A service that is down is not hammered: it is answered fast, with the time of the next try. */
async function downUpstream(open, { upstream_tools }) {
	const door = await open({ scenario: { tools: upstream_tools, steps: [{ at: "initialize", do: [{ exit: 1 }] }] } });
	const answers = [];
	for (let time = 0; time < 20; time++) {
		answers.push(await door.call(CALL, { toolName: "get_repo", arguments: { repo: "a/b" } }));
	}
	const starts = door.plugin.sent("initialize").length;
	assert.ok(starts >= 1 && starts < 10, `${starts} starts for 20 calls`);
	for (const { isError, code, failure, text } of answers) {
		assert.ok(isError && ["PLUGIN_UNAVAILABLE", "PLUGIN_CRASHED", "REPEATED_FAILURE"].includes(code ?? ""), text);
		assert.ok(failure.hint, text);
	}
	const waiting = answers.filter(({ text }) => /\d+ (s|ms|seconds)\b/.test(text));
	assert.ok(waiting.length > 0, `no answer says when it is tried again: ${answers.map(({ text }) => text).join("\n")}`);
}
