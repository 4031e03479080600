// Calls made on the page: the form, the question, and what the record says of it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, describe, test } from "node:test";
import { withoutChromium } from "../harness/chromium-program.js";
import { CLI } from "../harness/paths.js";
import { until } from "../harness/until.js";
import { startDesk } from "./desk.js";
import { browserFor, forSuite, tryTool } from "./open-page.js";

/** A field of the form. @param {import("playwright-core").Page} page @param {string} name */
const field = (page, name) => page.locator("#tool form").getByLabel(name);

describe("a call on the page", { skip: withoutChromium() }, () => {
	/** @type {Awaited<ReturnType<typeof browserFor>>} */
	let browser;
	/** @type {Awaited<ReturnType<typeof startDesk>>} */
	let desk;
	const suite = forSuite();
	before(async () => {
		browser = await browserFor(suite);
		desk = await startDesk(suite);
	});

	/** The last recorded calls, the newest last. */
	const recorded = () => {
		const { stdout } = spawnSync(process.execPath, [CLI, "audit", "--json"], { env: desk.env, encoding: "utf8" });
		return JSON.parse(stdout).lines;
	};
	/** Those that reached the service since `before`. @param {string[]} before */
	const since = (before) => desk.calls().slice(before.length);

	test("that only reads is made at once, with what the fields hold", async (t) => {
		const page = await browser.open(t, desk.link);
		const earlier = desk.calls();
		await tryTool(page, "find_note");
		await field(page, "words").fill("ink");
		await field(page, "most").fill("3");
		await field(page, "order").selectOption({ label: "oldest" });
		await field(page, "starred").selectOption({ label: "false" });
		await field(page, "labels").fill("blue\nred");
		await field(page, "after").fill("2026-01-01");
		await field(page, "weights").fill('{"blue": 0.5}');
		await page.getByRole("button", { name: "Call", exact: true }).click();
		await page.locator("#outcome .state.ready").waitFor();
		const sent = {
			words: "ink",
			most: 3,
			order: "oldest",
			starred: false,
			labels: ["blue", "red"],
			written: { after: "2026-01-01" },
			weights: { blue: 0.5 },
		};
		assert.deepEqual(since(earlier), [`find_note ${JSON.stringify(sent)}`]);
		const shown = JSON.parse(await page.locator("#outcome pre").first().textContent());
		assert.deepEqual(shown, { done: "find_note", given: sent });
		const line = recorded().at(-1);
		assert.equal(line.client.name, "page");
		assert.deepEqual([line.tool, line.outcome, line.decision.by], ["find_note", "ok", "policy"]);
	});

	test("with a value that does not fit shows so at its field, and is not sent", async (t) => {
		const page = await browser.open(t, desk.link);
		const earlier = desk.calls();
		await tryTool(page, "find_note");
		await field(page, "most").fill("3.5");
		await field(page, "weights").fill("{blue}");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		const wrong = (/** @type {string} */ path) => page.locator(`.field[data-path="${path}"] .wrong`);
		assert.equal(await wrong("words").textContent(), "this is needed");
		assert.equal(await wrong("most").textContent(), "this must be a whole number");
		assert.match(await wrong("weights").textContent(), /no JSON/);
		assert.equal(await field(page, "words").getAttribute("aria-invalid"), "true");
		assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid")), "true");
		await field(page, "words").fill("i");
		await field(page, "most").fill("99");
		await field(page, "weights").fill("");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		assert.equal(await wrong("words").textContent(), "at least 2 characters are needed");
		assert.equal(await wrong("most").textContent(), "it must be at most 50");
		assert.deepEqual(since(earlier), []);
	});

	test("that the server finds fault with shows that at its field", async (t) => {
		const page = await browser.open(t, desk.link);
		const earlier = desk.calls();
		await tryTool(page, "check_postcode");
		await field(page, "code").fill("A1");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		await page.locator("#outcome .problem", { hasText: "ARG_VALIDATION_FAILED" }).waitFor();
		assert.notEqual(await page.locator('.field[data-path="place.code"] .wrong').textContent(), "");
		assert.equal(await field(page, "code").inputValue(), "A1", "what was typed is there");
		assert.deepEqual(since(earlier), []);
	});

	test("takes JSON as well, and loses nothing on the way", async (t) => {
		const page = await browser.open(t, desk.link);
		const earlier = desk.calls();
		await tryTool(page, "find_note");
		await field(page, "words").fill("ink");
		const toggle = page.getByRole("button", { name: "As JSON" });
		await toggle.click();
		const json = page.getByLabel("Arguments as JSON");
		assert.deepEqual(JSON.parse(await json.inputValue()), { words: "ink", most: 10 });
		await json.fill('{"words":"ink"');
		await toggle.click();
		assert.match(await page.locator("#arguments-wrong").textContent(), /no JSON/);
		await json.fill('{"words":"ink","labels":["a"]}');
		await toggle.click();
		assert.equal(await field(page, "labels").inputValue(), "a");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		await page.locator("#outcome .state.ready").waitFor();
		assert.deepEqual(since(earlier), ['find_note {"words":"ink","labels":["a"]}']);
	});

	for (const [how, refuse] of /** @type {[string, (page: import("playwright-core").Page) => Promise<void>][]} */ ([
		["No", (page) => page.getByRole("button", { name: "No", exact: true }).click()],
		["Escape", (page) => page.keyboard.press("Escape")],
		["an Enter that was meant for the form", (page) => page.keyboard.press("Enter")],
	])) {
		test(`that changes something is asked about, and ${how} sends nothing`, async (t) => {
			const page = await browser.open(t, desk.link);
			const earlier = desk.calls();
			await tryTool(page, "pin_note");
			await field(page, "title").fill("mi\u202ene");
			await page.getByRole("button", { name: "Call", exact: true }).click();
			const dialog = page.getByRole("dialog");
			await dialog.waitFor();
			const said = await dialog.textContent();
			for (const part of ["desk", "pin_note", "mutating", "may change something", '"mi\\u{202e}ne"']) {
				assert.ok(said.includes(part), `${part} in ${said}`);
			}
			assert.deepEqual(since(earlier), [], "nothing before the answer");
			await refuse(page);
			await page.locator("#outcome .problem", { hasText: "CONSENT_DENIED" }).waitFor();
			assert.equal(await dialog.count(), 0);
			assert.deepEqual(since(earlier), []);
			const line = recorded().at(-1);
			assert.deepEqual(
				[line.tool, line.outcome, line.code, line.sent],
				["pin_note", "refused", "CONSENT_DENIED", false],
			);
			assert.deepEqual([line.client.name, line.decision.decision, line.decision.by], ["page", "deny", "person-once"]);
		});
	}

	test("that is allowed once is sent once, and the next one is asked about again", async (t) => {
		const page = await browser.open(t, desk.link);
		const earlier = desk.calls();
		await tryTool(page, "tear_up_notes");
		for (const times of [1, 2]) {
			await page.getByRole("button", { name: "Call", exact: true }).click();
			await page.getByRole("dialog").getByText("may destroy something").waitFor();
			await page.getByRole("button", { name: "Allow once" }).click();
			await page.locator("#outcome .state.ready").waitFor();
			assert.equal(since(earlier).length, times);
		}
		const line = recorded().at(-1);
		assert.deepEqual([line.tool, line.outcome, line.sent], ["tear_up_notes", "ok", true]);
		assert.deepEqual([line.client.name, line.decision.kind, line.decision.by], ["page", "destructive", "person-once"]);
	});

	test("that is cancelled is taken back from the service too", async (t) => {
		const page = await browser.open(t, desk.link);
		const earlier = desk.calls();
		await tryTool(page, "wait_for_ink");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		await until("call", () => since(earlier).includes("wait_for_ink {}"));
		await page.getByRole("button", { name: "Cancel", exact: true }).click();
		await page.getByText("Cancelled.").waitFor();
		await until("cancellation", () => since(earlier).includes("cancelled"));
	});

	test("whose page is closed while it asks is not sent", async (t) => {
		const page = await browser.open(t, desk.link);
		const earlier = desk.calls();
		await tryTool(page, "pin_note");
		await field(page, "title").fill("left");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		await page.getByRole("dialog").waitFor();
		await page.close();
		await until("line", () => JSON.stringify(recorded().at(-1)?.args ?? "").includes("left"));
		assert.equal(recorded().at(-1).sent, false);
		assert.deepEqual(since(earlier), []);
	});
});
