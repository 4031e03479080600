// What a host that can ask its user is asked, and what each answer does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Runtime } from "../index.js";
import { askAsText } from "../lib/ask-as-text.js";
import { native } from "../lib/native.js";

const skip = hasAddon() ? false : "the addon is not built; run `npm run build`";

test("a throw, a rejection and an odd answer are no yes", async () => {
	const answered = async (/** @type {any} */ ask) => JSON.parse(await askAsText(ask)("{}")).answer;
	assert.equal(await answered(() => "once"), "once");
	assert.equal(
		await answered(() => {
			throw new Error("x");
		}),
		"no",
	);
	assert.equal(await answered(async () => Promise.reject(new Error("x"))), "no");
	assert.equal(await answered(() => undefined), "no");
	assert.equal(await answered(() => ({ toString: () => "once" })), "no");
});

/**
 * A runtime over one tool, and how often that was called.
 *
 * @param {import("node:test").TestContext} t
 */
async function open(t) {
	let calls = 0;
	const adapter = {
		listTools: () => [{ name: "write", inputSchema: { type: "object" } }],
		call: () => {
			calls++;
			return { content: [{ type: "text", text: "done" }] };
		},
	};
	const runtime = await Runtime.open({ config: false, pluginDirs: [], adapters: [{ prefix: "shop", adapter }] });
	t.after(() => runtime.close());
	return { runtime, calls: () => calls };
}

/** @param {import("../index.js").ToolReply} reply */
const code = (reply) => JSON.parse(String(/** @type {{text: string}} */ (reply.content[0]).text)).code;

test("a call is sent after a yes and not after anything else", { skip }, async (t) => {
	const { runtime, calls } = await open(t);
	/** @type {import("../index.js").Question[]} */
	const questions = [];
	const call = (/** @type {any} */ answer, session = "a") =>
		runtime.call(
			"shop",
			"write",
			{ n: 1 },
			{
				confirm: true,
				session,
				ask: (question) => {
					questions.push(question);
					if (answer instanceof Error) throw answer;
					return answer;
				},
			},
		);
	assert.equal(code(await call("no")), "CONSENT_DENIED");
	assert.equal(code(await call(new Error("x"))), "CONSENT_DENIED");
	assert.equal(calls(), 0);
	assert.equal((await call("once")).isError, false);
	assert.equal(calls(), 1);
	const { plugin, name, kind, arguments: args } = /** @type {import("../index.js").Question} */ (questions[0]);
	assert.deepEqual([plugin, name, kind, args], ["shop", "write", "mutating", { n: 1 }]);
	for (const odd of ["yes", "pending", "unanswered", { answer: "once" }]) {
		assert.equal(code(await call(odd, `odd ${JSON.stringify(odd)}`)), "CONSENT_DENIED");
	}
	assert.equal(calls(), 1);
	await call("session");
	const asked = questions.length;
	assert.equal((await call("no")).isError, false);
	assert.equal(questions.length, asked, "the session's answer is remembered");
	assert.equal(code(await call("no", "b")), "CONSENT_DENIED");
	// Where nobody can be asked, `confirm: true` is what there is.
	assert.equal((await call("unavailable", "c")).isError, false);
});

function hasAddon() {
	try {
		native();
		return true;
	} catch {
		return false;
	}
}
