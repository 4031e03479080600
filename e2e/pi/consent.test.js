// A person in Pi is asked before a change, and what they say is what happens.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { settingsOf, shop } from "../policy/shop.js";
import { PiRun } from "./pi-run.js";

/** @typedef {import("node:test").TestContext} TestContext */

const NO = "No";
const ONCE = "Yes, this once";
const SESSION = "Yes, for the rest of this session";
const ALWAYS = "Yes, always, as long as it is defined as it is now";
const SHOW_ALL = "Show all of the arguments";

/** @param {string} toolName @param {object} [args] */
const call = (toolName, args = { item: "tea" }) => ({
	name: "agent_tools_shop_call",
	arguments: { toolName, arguments: args, confirm: true },
});
/** @param {...ReturnType<typeof call>} tool_calls */
const turn = (...tool_calls) => ({ tool_calls });
const done = { text: "done" };

/**
 * Pi with the shop.
 *
 * @param {TestContext} t
 * @param {import("./pi-run.js").PiOptions & {place?: ReturnType<typeof shop>}} options
 */
async function start(t, { place = shop(t), env, ...options }) {
	const run = await PiRun.start(t, { mode: "rpc", ...options, env: { ...settingsOf(place), ...env } });
	return { run, calls: place.calls };
}

/** The code of each call that has ended, or `ok`. @param {PiRun} run */
const outcomes = (run) =>
	run.eventsOf("tool_execution_end").map(({ isError, result }) => (isError ? result.details.code : "ok"));

describe("Pi's dialog", { timeout: 300_000 }, () => {
	test("shows what would be called, and each yes is one for that call", async (t) => {
		const { run, calls } = await start(t, {
			turns: [turn(call("look")), turn(call("order")), turn(call("wipe")), done],
		});
		const said = run.say("go");
		const order = await run.dialog(1);
		assert.equal(
			order.title,
			[
				"agent-tools: Call order of shop?",
				"order of shop may change something: nobody says that it only reads.",
				"Arguments:",
				'  item: "tea"',
			].join("\n"),
		);
		assert.deepEqual(order.options, [NO, ONCE, SESSION, ALWAYS]);
		assert.ok(order.timeout > 290_000 && order.timeout <= 300_000, `${order.timeout}`);
		assert.deepEqual(calls(), ["look tea"], "reading asks nobody, and a change waits");
		run.answerTo(order, ONCE);
		const wipe = await run.dialog(2);
		assert.match(wipe.title, /wipe of shop may destroy something .*: the service says that it may destroy something\./);
		run.answerTo(wipe, ONCE);
		await said;
		assert.deepEqual(calls(), ["look tea", "order tea", "wipe tea"]);
		assert.equal(run.dialogs.length, 2);
	});

	for (const [what, answer] of /** @type {[string, string | undefined][]} */ ([
		["no", NO],
		["closing it", undefined],
		["an answer that was not offered", "yes"],
	])) {
		test(`${what} sends nothing`, async (t) => {
			const { run, calls } = await start(t, { turns: [turn(call("order")), done] });
			const said = run.say("go");
			run.answerTo(await run.dialog(1), answer);
			await said;
			assert.deepEqual(outcomes(run), ["CONSENT_DENIED"]);
			assert.match(JSON.stringify(run.eventsOf("tool_execution_end")), /the user said no to order/);
			assert.deepEqual(calls(), []);
		});
	}

	test("no answer within the time limit sends nothing, and a later one comes too late", async (t) => {
		const place = shop(t, { askTimeoutMs: 300 });
		const { run, calls } = await start(t, { place, turns: [turn(call("order")), done] });
		await run.say("go");
		const [dialog] = run.dialogs;
		assert.ok(dialog && dialog.timeout <= 300, JSON.stringify(dialog));
		assert.deepEqual(outcomes(run), ["CONSENT_DENIED"]);
		assert.match(JSON.stringify(run.eventsOf("tool_execution_end")), /did not answer whether/);
		run.answerTo(dialog, ONCE);
		await run.say("and then");
		assert.deepEqual(calls(), []);
	});

	test("of calls of one tool at once, a yes for the session to the first settles the others", async (t) => {
		const orders = turn(call("order"), call("order", { item: "milk" }));
		const { run, calls } = await start(t, { turns: [orders, turn(call("order")), turn(call("wipe")), done] });
		const said = run.say("go");
		run.answerTo(await run.dialog(1), SESSION);
		const other = await run.dialog(2);
		assert.match(other.title, /wipe/, "another tool is another question");
		run.answerTo(other, NO);
		await said;
		assert.deepEqual(outcomes(run), ["ok", "ok", "ok", "CONSENT_DENIED"]);
		assert.equal(calls().length, 3);
	});

	test("questions about several tools at once are shown one after the other", async (t) => {
		const { run, calls } = await start(t, { turns: [turn(call("order"), call("wipe")), done] });
		const said = run.say("go");
		const first = await run.dialog(1);
		await run.child.until("both calls", () => run.eventsOf("tool_execution_start").length === 2);
		await sleep(500);
		assert.equal(run.dialogs.length, 1, "the second waits for the first");
		run.answerTo(first, NO);
		run.answerTo(await run.dialog(2), ONCE);
		await said;
		assert.deepEqual(outcomes(run).toSorted(), ["CONSENT_DENIED", "ok"]);
		assert.equal(calls().length, 1);
	});

	test("always holds in a process that comes later, for that tool", async (t) => {
		const place = shop(t);
		const first = await start(t, { place, turns: [turn(call("order")), done] });
		const said = first.run.say("go");
		first.run.answerTo(await first.run.dialog(1), ALWAYS);
		await said;
		first.run.child.endInput();
		await first.run.child.exitWithin();
		const second = await start(t, { place, turns: [turn(call("order"), call("wipe")), done] });
		const again = second.run.say("go");
		const dialog = await second.run.dialog(1);
		assert.match(dialog.title, /wipe/);
		second.run.answerTo(dialog, NO);
		await again;
		assert.deepEqual(place.calls(), ["order tea", "order tea"]);
	});

	test("cancelling the turn ends the dialog, and the next question is shown", async (t) => {
		const { run, calls } = await start(t, { turns: [turn(call("order")), turn(call("wipe")), done] });
		const said = run.say("go");
		const dialog = await run.dialog(1);
		run.send({ type: "abort" });
		await said;
		assert.deepEqual(outcomes(run), ["CANCELLED"]);
		const next = run.say("go on");
		const other = await run.dialog(2);
		run.answerTo(dialog, ONCE);
		run.answerTo(other, ONCE);
		await next;
		assert.deepEqual(calls(), ["wipe tea"]);
	});

	test("hides nothing: neither characters nor what is too long", async (t) => {
		const item = `a\u202eb\u{e0041}\u001b[2J\n${"x".repeat(500)}END`;
		const { run } = await start(t, { turns: [turn(call("order", { item, "k\nAnswer: yes": 1 })), done] });
		const said = run.say("go");
		const short = await run.dialog(1);
		assert.match(short.title, /item: "a\\u\{202e\}b\\u\{e0041\}\\u001b\[2J\\nx+ …\[\d+ characters not shown\]… x+END"/);
		assert.match(short.title, /\n {2}k\\u\{a\}Answer: yes: 1/);
		assert.equal(short.title.split("\n").length, 5);
		assert.deepEqual(short.options, [NO, ONCE, SESSION, ALWAYS, SHOW_ALL]);
		run.answerTo(short, SHOW_ALL);
		const whole = await run.dialog(2);
		assert.ok(whole.title.includes(`${"x".repeat(500)}END"`), whole.title);
		assert.deepEqual(whole.options, [NO, ONCE, SESSION, ALWAYS]);
		run.answerTo(whole, NO);
		await said;
		assert.deepEqual(outcomes(run), ["CONSENT_DENIED"]);
	});

	test("is shown for tools that Pi's own search finds, too", async (t) => {
		const order = { name: "shop__order", arguments: { item: "tea", confirm: true } };
		const find = { name: "tool_search", arguments: { query: "order an item" } };
		const { run, calls } = await start(t, {
			env: { AGENT_TOOLS_VIEW: "flat" },
			turns: [turn(find), turn(order), done],
		});
		const said = run.say("go");
		run.answerTo(await run.dialog(1), NO);
		await said;
		assert.deepEqual(outcomes(run), ["ok", "CONSENT_DENIED"]);
		assert.deepEqual(calls(), []);
	});
});

describe("Pi without an interface", { timeout: 300_000 }, () => {
	test("destroys nothing, and says which rule would allow it; confirm suffices for other changes", async (t) => {
		const turns = [turn(call("order")), turn(call("wipe")), done];
		const { run, calls } = await start(t, { mode: "json", turns });
		assert.equal((await run.child.exitWithin()).code, 0, run.child.output);
		assert.deepEqual(outcomes(run), ["ok", "POLICY_DENIED"]);
		const [, wipe] = run.eventsOf("tool_execution_end");
		assert.match(wipe.result.content[0].text, /shop\/wipe\\*":\\*"allow/);
		assert.deepEqual(calls(), ["order tea"]);
	});

	test("changes nothing either where the policy says so", async (t) => {
		const place = shop(t, { headless: "refuse" });
		const { run, calls } = await start(t, { place, mode: "json", turns: [turn(call("order")), done] });
		assert.equal((await run.child.exitWithin()).code, 0, run.child.output);
		assert.deepEqual(outcomes(run), ["POLICY_DENIED"]);
		assert.deepEqual(calls(), []);
	});
});
