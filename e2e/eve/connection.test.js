import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT } from "../harness/paths.js";
import { EveApp } from "./eve-app.js";
import { startRuntimeServer } from "./runtime-server.js";

/** @param {string} query */
const search = (query) => ({ tool_calls: [{ name: "eve__search", arguments: { query } }] });
/** @param {string} tool @param {object} [input] */
const use = (tool, input) => ({
	tool_calls: [{ name: "eve__tool", arguments: { name: `agent-tools__${tool}`, input } }],
});
const report = { text: "The tool said {{last_tool_result}}" };

/** @param {{requests: {tool_result: string}[]}} conversation */
const found = ({ requests }) => JSON.parse(requests[1]?.tool_result ?? "{}").results ?? [];

test("the connection file", { timeout: 300_000 }, async (t) => {
	const app = await EveApp.start(t);
	/** @param {import("node:test").TestContext} t */
	const freshRuntime = async (t) => {
		app.proxy.target = await startRuntimeServer(t);
	};

	await t.test("a search and a call cost five requests, and the result reaches the answer", async (t) => {
		await freshRuntime(t);
		const seen = await app.ask([search("list open issues"), use("list_issues", { state: "open" }), report]);
		assert.equal(seen.code, 0, seen.text);
		assert.equal(found(seen)[0]?.tool, "agent-tools__list_issues", JSON.stringify(found(seen)));
		assert.match(seen.message, /^The tool said [[{]/);
		assert.match(seen.message, /title/);
		assert.deepEqual(seen.methods, ["server/discover", "tools/list", "server/discover", "tools/list", "tools/call"]);
		for (const { headers, status } of seen.exchanges) {
			assert.equal(status, 200);
			assert.equal(headers["mcp-protocol-version"], "2026-07-28");
			assert.equal(headers["mcp-session-id"], undefined);
		}
	});

	await t.test("a tool that only reads runs unasked, with the confirm that eve adds", async (t) => {
		await freshRuntime(t);
		const seen = await app.ask([use("list_issues", { state: "open" }), report]);
		assert.equal(seen.code, 0, seen.text);
		assert.deepEqual(
			seen.toolCalls.map((call) => call.arguments),
			[{ state: "open", confirm: true }],
		);
	});

	await t.test("the model never sees confirm", async (t) => {
		await freshRuntime(t);
		const seen = await app.ask([search("create issue"), report]);
		assert.equal(found(seen)[0]?.tool, "agent-tools__create_issue");
		for (const { signature } of found(seen)) assert.ok(!signature.includes("confirm"), signature);
		for (const { body } of seen.requests) assert.ok(!JSON.stringify(body.tools).includes("confirm"));
	});

	const create = use("create_issue", { title: "made through eve" });

	await t.test("a denied mutation never reaches the runtime", async (t) => {
		await freshRuntime(t);
		const { asked, done } = await app.askAndAnswer([create, report], "cancel");
		assert.deepEqual([...asked.toolCalls, ...done.toolCalls], []);
		const after = await app.ask([use("list_issues"), report]);
		assert.ok(!after.message.includes("made through eve"), after.message);
	});

	await t.test("an approved mutation is carried out once", async (t) => {
		await freshRuntime(t);
		const { asked, done } = await app.askAndAnswer([create, report], "approve");
		assert.deepEqual(asked.toolCalls, []);
		assert.deepEqual(
			done.toolCalls.map((call) => call.arguments),
			[{ title: "made through eve", confirm: true }],
		);
		assert.match(done.message, /made through eve/);
		const after = await app.ask([use("list_issues"), report]);
		assert.equal(after.message.split("made through eve").length, 2, after.message);
	});

	await t.test("skills are tools too, and those that only read run unasked", async (t) => {
		await freshRuntime(t);
		const summary = await app.ask([use("skill_issue-summary"), report]);
		assert.equal(summary.code, 0, summary.text);
		assert.equal(summary.toolCalls.length, 1, summary.message);
		const { asked } = await app.askAndAnswer(
			[use("skill_create-and-verify-issue", { title: "by a skill" }), report],
			"cancel",
		);
		assert.deepEqual(asked.toolCalls, []);
	});

	await t.test("the text of a tool's error reaches the model", async (t) => {
		await freshRuntime(t);
		const seen = await app.ask([use("get_issue", { number: 999_999 }), report]);
		assert.equal(seen.toolCalls.length, 1, seen.message);
		assert.match(seen.message, /TOOL_FAILED/);
		assert.match(seen.message, /999999/);
	});

	await t.test("a runtime that is down is said to be unavailable", async () => {
		app.proxy.target = "http://127.0.0.1:9";
		const seen = await app.ask([search("list open issues"), report]);
		assert.match(seen.message, /"unavailable":\[\{"connection":"agent-tools"/);
	});
});

test("a token", { timeout: 120_000 }, async (t) => {
	const app = await EveApp.start(t, { token: "token-of-this-test" });

	await t.test("that is right is sent with every request, and accepted", async (t) => {
		app.proxy.target = await startRuntimeServer(t, { token: "token-of-this-test" });
		const seen = await app.ask([use("list_issues"), report]);
		assert.match(seen.message, /title/);
		for (const { headers } of seen.exchanges) assert.equal(headers.authorization, "Bearer token-of-this-test");
	});

	await t.test("that is wrong is refused before any tool is named", async (t) => {
		app.proxy.target = await startRuntimeServer(t, { token: "another-token" });
		const seen = await app.ask([search("list open issues"), report]);
		assert.match(seen.message, /requires authorization/);
		assert.ok(!seen.message.includes("list_issues"), seen.message);
		for (const { status } of seen.exchanges) assert.equal(status, 401);
	});
});

test("the example holds the very connection file of the kit", () => {
	const kit = path.join(ROOT, "integrations/eve");
	const file = "connections/agent-tools.ts";
	assert.equal(readFileSync(path.join(kit, "example/agent", file), "utf8"), readFileSync(path.join(kit, file), "utf8"));
});
