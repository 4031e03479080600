// What the page shows: plugins, search, live calls, tokens, the log; and that nothing a service says becomes more than text.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { withoutChromium } from "../harness/chromium-program.js";
import { CLI } from "../harness/paths.js";
import { startDesk } from "./desk.js";
import { MARKUP } from "./markup.js";
import { browserFor, forSuite, tryTool } from "./open-page.js";

describe("the page shows", { skip: withoutChromium() }, () => {
	/** @type {Awaited<ReturnType<typeof browserFor>>} */
	let browser;
	/** @type {Awaited<ReturnType<typeof startDesk>>} */
	let desk;
	const suite = forSuite();
	before(async () => {
		browser = await browserFor(suite);
		desk = await startDesk(suite);
	});

	test("each plugin with its state, and what one needs before it can be used", async (t) => {
		const page = await browser.open(t, desk.link);
		const archive = page.locator('[data-plugin="archive"]');
		await archive.waitFor();
		assert.equal(await archive.getAttribute("data-state"), "needs set-up");
		assert.match(await archive.textContent(), /set ARCHIVE_KEY \(the key to the archive\)/);
		assert.equal(await archive.getByRole("button").isDisabled(), true);
		await tryTool(page, "find_note");
		await page.getByRole("tab", { name: "Plugins" }).click();
		await page.locator('[data-plugin="desk"][data-state="ready"]').waitFor();
		assert.match(await page.locator('[data-plugin="desk"]').textContent(), /6 tools/);
	});

	test("the hits of a search in the order of `agent-tools discover`, with the same reasons", async (t) => {
		const page = await browser.open(t, desk.link);
		for (const words of ["find a note", "tear up every note", "postcode", "order a pizza"]) {
			const told = spawnSync(process.execPath, [CLI, "discover", "--json", "--explain", "--limit", "10", words], {
				env: desk.env,
				encoding: "utf8",
			});
			const { hits, fits } = JSON.parse(told.stdout);
			await page.getByRole("tab", { name: "Search" }).click();
			await page.getByLabel("Words").fill(words);
			await page.getByLabel("Hits").selectOption("10");
			const answered = page.waitForResponse((response) => response.url().includes("/page/data/search"));
			await page.getByRole("button", { name: "Search", exact: true }).click();
			await (await answered).finished();
			await page.locator(".reply").waitFor();
			const shown = await page
				.locator("[data-hit]")
				.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-hit")));
			assert.deepEqual(
				shown,
				hits.map((/** @type {any} */ hit) => `${hit.plugin}/${hit.name}`),
				words,
			);
			assert.equal(await page.getByText("Nothing fits.").count(), fits ? 0 : 1, words);
			const scores = await page.locator(".score").allTextContents();
			assert.deepEqual(
				scores,
				hits.map((/** @type {any} */ hit) => hit.score.toFixed(2)),
			);
			await page.getByText("Why it stands here").first().click();
			const { lexical, meaning } = hits[0].explanation;
			const why = await page.locator(".why").first().textContent();
			assert.ok(why.includes(`${lexical.value.toFixed(2)} of 1 in common`), why);
			if (meaning) assert.ok(why.includes(`cosine ${meaning.value.toFixed(2)}`), why);
		}
		assert.match(await page.locator(".reply summary").textContent(), /about \d+ tokens/);
	});

	test("a call of another client as it is recorded, and finds it again", async (t) => {
		const page = await browser.open(t, desk.link);
		await page.getByRole("tab", { name: "Live calls" }).click();
		await page.locator("#live-count", { hasText: /call/ }).waitFor();
		const client = await connect(t, desk.url, "a-visitor");
		const call = (/** @type {string} */ words) =>
			client.callTool({
				name: "agent_tools_call",
				arguments: { plugin: "desk", toolName: "find_note", arguments: { words, apiKey: "sesame-open-123456" } },
			});
		await call("blue ink");
		const row = page.locator("#calls > li").first();
		await row.locator(".who", { hasText: "a-visitor" }).waitFor();
		assert.match(await row.textContent(), /desk\s*find_note\s*ok/);
		await row.locator("summary").click();
		assert.match(await row.textContent(), /"words": "blue ink"/);
		assert.ok(!(await page.content()).includes("sesame-open-123456"), "redacted as the log has it");
		await client.callTool({
			name: "agent_tools_call",
			arguments: { plugin: "desk", toolName: "pin_note", arguments: {} },
		});
		await page.locator("#calls > li").first().locator(".state", { hasText: "ARG_VALIDATION_FAILED" }).waitFor();
		await page.getByLabel("Outcome").selectOption("refused");
		assert.deepEqual(await visibleRows(page), ["refused"]);
		await page.getByLabel("Outcome").selectOption("all");
		await page.getByLabel("Filter").fill("blue visitor");
		assert.deepEqual(await visibleRows(page), ["ok"]);
	});

	test("a call of another process that writes to the same log", async (t) => {
		const page = await browser.open(t, desk.link);
		await page.getByRole("tab", { name: "Live calls" }).click();
		await page.locator("#live-count", { hasText: /call/ }).waitFor();
		const other = await startDesk(t, { env: { AGENT_TOOLS_AUDIT_DIR: path.join(desk.folder, "audit") } });
		const client = await connect(t, other.url, "from-elsewhere");
		const asked = { plugin: "desk", toolName: "find_note", arguments: { words: "ink" } };
		await client.callTool({ name: "agent_tools_call", arguments: asked });
		await page.locator("#calls > li").first().locator(".who", { hasText: "from-elsewhere" }).waitFor();
	});

	test("what each view costs, as a chart that can be read aloud", async (t) => {
		const page = await browser.open(t, desk.link);
		await tryTool(page, "find_note");
		await page.getByRole("tab", { name: "Tokens" }).click();
		const chart = page.getByRole("img", { name: /Tokens in every request/ });
		const said = (await chart.getAttribute("aria-label")) ?? "";
		const tokens = (/** @type {string} */ view) =>
			Number(new RegExp(`${view}: [^;]*?([\\d,]+) tokens`).exec(said)?.[1]?.replaceAll(",", ""));
		assert.ok(tokens("unified") > 0 && tokens("flat") > tokens("unified"), said);
		const widths = await chart
			.locator("rect.bar")
			.evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute("width"))));
		assert.equal(widths.length, 3);
		assert.equal(Math.max(...widths), widths[2], "flat is the longest");
		assert.match(await page.locator("#tokens").textContent(), /estimates/);
		assert.match(await page.locator("#tokens").textContent(), /never listed: archive/);
	});

	test("whether the log is whole, and where it is not", async (t) => {
		const own = await startDesk(t);
		const page = await browser.open(t, own.link);
		await tryTool(page, "draw_frame");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		await page.locator("#outcome .state.ready").waitFor();
		await page.getByRole("tab", { name: "Health" }).click();
		await page.locator("#log .state.ready", { hasText: "whole" }).waitFor();
		assert.match(await page.locator("#log").textContent(), /ok\s*1/);
		assert.match(await page.locator("#health table").first().textContent(), /Child processes\s*1/);
		const folder = path.join(own.folder, "audit");
		const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "");
		writeFileSync(file, readFileSync(file, "utf8").replace('"draw_frame"', '"find_note"'));
		await page.getByRole("button", { name: "Check again" }).click();
		await page.locator("#log .state.failed", { hasText: "not whole" }).waitFor();
		assert.match(await page.locator("#log").textContent(), /the line is not what its hash says/);
	});

	test("names and descriptions and results that are markup as the text that they are", async (t) => {
		const page = await browser.open(t, desk.link);
		await tryTool(page, "draw_frame");
		assert.ok((await page.locator("#tool .described").textContent()).includes(MARKUP));
		assert.equal(await page.locator("#tool legend, #tool label", { hasText: "<img" }).count(), 1);
		await page.getByRole("button", { name: "Call", exact: true }).click();
		const result = await page.locator("#outcome pre").first().textContent();
		assert.equal(result, `${MARKUP} a\\u{200b}b`, "and what nobody sees is written out");
		await page.getByRole("tab", { name: "Search" }).click();
		await page.getByLabel("Words").fill("draw a frame");
		await page.getByRole("button", { name: "Search", exact: true }).click();
		await page.locator('[data-hit="desk/draw_frame"]').waitFor();
		await page.getByRole("tab", { name: "Live calls" }).click();
		await page.locator("#calls > li", { hasText: "draw_frame" }).first().locator("summary").click();
		assert.equal(await page.evaluate(() => /** @type {any} */ (window).harmed), undefined);
		assert.equal(await page.locator("main img, main script").count(), 0);
		const refused = await page.evaluate(() => {
			try {
				document.body.insertAdjacentHTML("beforeend", "<b>x</b>");
				return false;
			} catch {
				return true;
			}
		});
		assert.ok(refused, "not even a mistake in the page's own scripts makes markup of text");
	});
});

/**
 * A real client; over HTTP the log knows it by its user agent.
 *
 * @param {import("node:test").TestContext} t
 * @param {string} url
 * @param {string} name
 */
async function connect(t, url, name) {
	const client = new Client({ name, version: "1.0.0" });
	const requestInit = { headers: { "user-agent": name } };
	await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
	t.after(() => client.close());
	return client;
}

/** The outcomes of the calls that the filter leaves. @param {import("playwright-core").Page} page */
function visibleRows(page) {
	return page
		.locator("#calls > li")
		.evaluateAll((rows) =>
			rows.filter((row) => !(/** @type {HTMLElement} */ (row).hidden)).map((row) => row.getAttribute("data-outcome")),
		);
}
