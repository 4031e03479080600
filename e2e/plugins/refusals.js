import assert from "node:assert/strict";
import { test } from "node:test";
import { always } from "../services/json-service.js";

/** @typedef {import("../services/json-service.js").Behaviour} Behaviour */

/** What a service may say instead of an answer, and what becomes of it. */
const REFUSALS = /** @type {const} */ ([
	["401", always(401, { message: "who are you?" }), { code: "UPSTREAM_AUTH", said: /who are you/ }],
	["403", always(403, { message: "not for you" }), { code: "UPSTREAM_AUTH", said: /not for you/ }],
	["404", always(404, { message: "not there" }), { said: /404.*not there/s }],
	["409", always(409, { message: "in the way" }), { said: /409.*in the way/s }],
	["422", always(422, { message: "not like this" }), { said: /422.*not like this/s }],
	["429", always(429, { message: "slow down" }, { "retry-after": "70" }), { said: /Wait 70 s.*slow down/s }],
	["500", always(500, "out of memory", { "content-type": "text/plain" }), { said: /500.*out of memory/s }],
	["503", always(503, { message: "later" }), { said: /503.*later/s }],
]);

/**
 * Tests of how a plugin tells what its service refuses, and what is no answer.
 *
 * @param {object} plugin
 * @param {(t: import("node:test").TestContext, service: {behaviour?: Behaviour}, options?: object) => Promise<any>} plugin.open
 * @param {[tool: string, args?: object]} plugin.reads
 * @param {[tool: string, args?: object]} plugin.changes
 * @param {RegExp} plugin.variable what is named where credentials are refused
 */
export function testRefusals({ open, reads, changes, variable }) {
	for (const [name, behaviour, { code = "TOOL_FAILED", said }] of REFUSALS) {
		test(`${name} is told as it is`, async (t) => {
			const { call } = await open(t, { behaviour });
			for (const tool of [reads, changes]) {
				const failure = await call(...tool);
				assert.equal(failure.code, code, JSON.stringify(failure));
				assert.match(JSON.stringify(failure), said);
				if (code === "UPSTREAM_AUTH") assert.match(failure.hint, variable);
			}
		});
	}

	test("a service that asks for a moment gets it, where nothing is changed", async (t) => {
		const busy = always(429, { message: "slow down" }, { "retry-after": "0" });
		let left = 0;
		const behaviour = (asked, response) => left-- > 0 && busy(asked, response);
		const { call } = await open(t, { behaviour });
		await call(...reads);
		left = 1;
		assert.equal((await call(...reads)).code, undefined);
		left = 1;
		assert.match(JSON.stringify(await call(...changes)), /slow down/);
	});

	test("an answer that is not JSON is given as it stands", async (t) => {
		const answers = [
			always(200, "<html>Sign in</html>", { "content-type": "text/html" }),
			always(200, '{"broken": ', { "content-type": "application/json" }),
		];
		const { call } = await open(t, { behaviour: (...asked) => answers.shift()?.(...asked) });
		for (const said of [/Sign in/, /broken/]) assert.match(JSON.stringify(await call(...reads)), said);
	});

	test("silence ends with the deadline, and says whether anything may have been changed", async (t) => {
		const { call } = await open(t, { behaviour: () => true }, { deadlines: { callMs: 300 } });
		assert.equal((await call(...reads)).code, "TIMEOUT");
		assert.equal((await call(...changes)).code, "OUTCOME_UNKNOWN");
	});
}
