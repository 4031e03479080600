// MCP clients are asked by elicitation: the TypeScript SDK in both generations of the protocol, over stdio and HTTP.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startHttp } from "../harness/cli-http.js";
import { CLI } from "../harness/paths.js";
import { CLIENT, MODERN } from "../harness/protocol.js";
import { shop } from "./shop.js";

const LIMIT = { timeout: 120_000 };

/**
 * A client whose user answers as `user` says.
 *
 * @param {import("node:test").TestContext} t
 * @param {"legacy" | "modern"} generation
 * @param {"stdio" | "http"} way
 * @param {{policy?: object, user?: (params: any) => unknown, manual?: boolean, place?: ReturnType<typeof shop>}} [how]
 */
async function connect(t, generation, way, { policy, user, manual = false, place = shop(t, policy) } = {}) {
	const client = new Client(CLIENT, {
		capabilities: user || manual ? { elicitation: {} } : {},
		versionNegotiation: { mode: generation === "modern" ? { pin: MODERN } : "legacy" },
		inputRequired: { autoFulfill: !manual },
	});
	/** @type {any[]} */
	const questions = [];
	if (user) {
		client.setRequestHandler("elicitation/create", async ({ params }) => {
			questions.push(params);
			return /** @type {any} */ (await user(params));
		});
	}
	await client.connect(await transport(t, way, place));
	t.after(() => client.close());
	const call = async (/** @type {string} */ name, args = {}) => {
		const reply = await client.callTool({ name: `shop_${name}`, arguments: { item: "tea", confirm: true, ...args } });
		const [{ text }] = /** @type {any[]} */ (reply.content);
		return reply.isError ? JSON.parse(text).code : text;
	};
	return { ...place, client, questions, call };
}

async function transport(t, way, { config, env }) {
	const view = ["--config", config, "--view", "flat"];
	if (way === "stdio") {
		return new StdioClientTransport({ command: process.execPath, args: [CLI, "mcp", ...view], env, stderr: "ignore" });
	}
	const { url } = await startHttp(t, { args: view, env });
	return new StreamableHTTPClientTransport(new URL(url));
}

const accept = (/** @type {string} */ answer) => () => ({ action: "accept", content: { answer } });

for (const [generation, way] of /** @type {const} */ ([
	["legacy", "stdio"],
	["modern", "stdio"],
	["modern", "http"],
])) {
	describe(`a client of the ${generation} generation over ${way}`, LIMIT, () => {
		test("is asked what would be called, and a yes has it called", async (t) => {
			const { call, calls, questions } = await connect(t, generation, way, { user: accept("once") });
			assert.equal(await call("look"), "done");
			assert.equal(questions.length, 0, "reading asks nobody");
			assert.equal(await call("order"), "done");
			assert.equal(await call("wipe"), "done");
			assert.deepEqual(calls(), ["look tea", "order tea", "wipe tea"]);
			assert.match(questions[0].message, /order of shop may change something/);
			assert.match(questions[1].message, /may destroy something/);
			assert.match(questions[1].message, /"item": "tea"/);
			assert.ok(questions[0].requestedSchema.properties.answer.enum.includes("once"));
		});

		for (const [name, user] of /** @type {[string, () => unknown][]} */ ([
			["no", accept("no")],
			["decline", () => ({ action: "decline" })],
			["cancel", () => ({ action: "cancel" })],
			["an acceptance of nothing", () => ({ action: "accept", content: {} })],
		])) {
			test(`${name} sends nothing`, async (t) => {
				const { call, calls, questions } = await connect(t, generation, way, { user });
				assert.equal(await call("order"), "CONSENT_DENIED");
				assert.equal(questions.length, 1);
				assert.deepEqual(calls(), []);
			});
		}

		test("an answer that comes too late means no", async (t) => {
			const late = async () => {
				await sleep(3_000);
				return { action: "accept", content: { answer: "once" } };
			};
			const { call, calls } = await connect(t, generation, way, { policy: { askTimeoutMs: 100 }, user: late });
			assert.equal(await call("order"), "CONSENT_DENIED");
			assert.deepEqual(calls(), []);
		});

		test("always is always, in the next session too", async (t) => {
			const place = shop(t);
			const first = await connect(t, generation, way, { user: accept("always"), place });
			assert.equal(await first.call("order"), "done");
			assert.equal(await first.call("order"), "done");
			assert.equal(first.questions.length, 1);
			const second = await connect(t, generation, way, { user: accept("no"), place });
			assert.equal(await second.call("order"), "done");
			assert.equal(await second.call("wipe"), "CONSENT_DENIED");
			assert.deepEqual(place.calls(), ["order tea", "order tea", "order tea"]);
		});
	});
}

for (const generation of /** @type {const} */ (["legacy", "modern"])) {
	test(`a session of the ${generation} generation answers once`, LIMIT, async (t) => {
		const { call, questions } = await connect(t, generation, "stdio", { user: accept("session") });
		for (const _ of [1, 2, 3]) assert.equal(await call("order"), "done");
		assert.equal(questions.length, 1);
		assert.equal(await call("wipe"), "done");
		assert.equal(questions.length, 2, "another tool is another question");
	});

	test(`a client of the ${generation} generation that cannot be asked`, LIMIT, async (t) => {
		const { call, calls } = await connect(t, generation, "stdio");
		assert.equal(await call("order"), "done");
		assert.equal(await call("wipe"), "POLICY_DENIED");
		assert.equal(await call("order", { confirm: false }), "CONFIRM_REQUIRED");
		assert.deepEqual(calls(), ["order tea"]);
	});
}

test("an older client over HTTP cannot be asked, and its call ends", LIMIT, async (t) => {
	const { call, calls, questions } = await connect(t, "legacy", "http", { user: accept("once") });
	assert.equal(await call("order"), "done");
	assert.equal(await call("wipe"), "POLICY_DENIED");
	assert.equal(questions.length, 0);
	assert.deepEqual(calls(), ["order tea"]);
});

for (const way of /** @type {const} */ (["stdio", "http"])) {
	test(`over ${way}, an answer counts for the call that was asked about, and once`, LIMIT, async (t) => {
		const { client, calls } = await connect(t, "modern", way, { manual: true });
		const send = async (/** @type {string} */ item, rest = {}) => {
			const params = { name: "shop_wipe", arguments: { item, confirm: true }, ...rest };
			return /** @type {any} */ (await client.callTool(params, /** @type {any} */ ({ allowInputRequired: true })));
		};
		const code = (/** @type {any} */ reply) => reply.isError && JSON.parse(reply.content[0].text).code;
		const inputResponses = { consent: { action: "accept", content: { answer: "once" } } };

		const asked = await send("tea");
		assert.equal(asked.resultType, "input_required");
		const { requestState } = asked;
		assert.equal(typeof requestState, "string");
		assert.equal(code(await send("coffee", { inputResponses, requestState })), "CONSENT_DENIED", "other arguments");
		const forged = `${requestState.slice(0, 12)}${requestState[12] === "A" ? "B" : "A"}${requestState.slice(13)}`;
		assert.equal(
			code(await send("milk", { inputResponses, requestState: forged })),
			"CONSENT_DENIED",
			"a forged state",
		);
		const unasked = await send("tea", { inputResponses });
		assert.equal(unasked.resultType, "input_required", "an answer to no question");
		assert.deepEqual(calls(), []);
		assert.equal((await send("tea", { inputResponses, requestState })).isError ?? false, false);
		assert.deepEqual(calls(), ["wipe tea"]);
		assert.equal(code(await send("tea", { inputResponses, requestState })), "CONSENT_DENIED", "the same answer again");
		assert.deepEqual(calls(), ["wipe tea"]);
	});
}
