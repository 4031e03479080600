// What may destroy something: eve's person is asked, and the runtime takes their yes only where it was told to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsOf, shop } from "../policy/shop.js";
import { EveApp } from "./eve-app.js";
import { startRuntimeServer } from "./runtime-server.js";

const TOKEN = "token-of-this-agent";
const APPROVED = ["--approved-by-client"];

/** @param {string} tool */
const use = (tool) => [
	{ tool_calls: [{ name: "eve__tool", arguments: { name: `agent-tools__${tool}`, input: { item: "tea" } } }] },
	{ text: "The tool said {{last_tool_result}}" },
];

test("what may destroy something", { timeout: 300_000 }, async (t) => {
	const app = await EveApp.start(t, { path: "/mcp/shop", token: TOKEN });
	/**
	 * @param {import("node:test").TestContext} t
	 * @param {{args?: string[], policy?: object}} [how]
	 */
	const freshShop = async (t, { args = APPROVED, policy } = {}) => {
		const place = shop(t, policy);
		app.proxy.target = await startRuntimeServer(t, { token: TOKEN, args, env: settingsOf(place) });
		return place;
	};

	await t.test("is called once, after a person approved it", async (t) => {
		const { calls } = await freshShop(t);
		const { asked, done } = await app.askAndAnswer(use("wipe"), "approve");
		assert.deepEqual(asked.toolCalls, []);
		assert.match(done.message, /The tool said done/);
		assert.deepEqual(calls(), ["wipe tea"]);
	});

	await t.test("is not sent when a person denied it", async (t) => {
		const { calls } = await freshShop(t);
		const { done } = await app.askAndAnswer(use("wipe"), "cancel");
		assert.deepEqual(done.toolCalls, []);
		assert.deepEqual(calls(), []);
	});

	await t.test("is refused, approved or not, by a runtime that was not told to believe the client", async (t) => {
		const { calls } = await freshShop(t, { args: [] });
		const { done } = await app.askAndAnswer(use("wipe"), "approve");
		assert.match(done.message, /POLICY_DENIED/);
		assert.deepEqual(calls(), []);
	});

	await t.test("a tool that reads runs unasked, until a rule wants it asked about", async (t) => {
		const { calls } = await freshShop(t);
		assert.match((await app.ask(use("look"))).message, /The tool said done/);
		assert.deepEqual(calls(), ["look tea"]);
		const asking = await freshShop(t, { policy: { tools: { "shop/look": "ask" } } });
		await app.askAndAnswer(use("look"), "cancel");
		assert.deepEqual(asking.calls(), []);
	});
});
