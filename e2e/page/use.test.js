// The page by keyboard alone, at 320 px, in light and dark.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { withoutChromium } from "../harness/chromium-program.js";
import { startDesk } from "./desk.js";
import { browserFor, forSuite, tryTool } from "./open-page.js";

const TABS = ["Plugins", "Search", "Try a call", "Live calls", "Tokens", "Health"];

describe("the page is used", { skip: withoutChromium() }, () => {
	/** @type {Awaited<ReturnType<typeof browserFor>>} */
	let browser;
	/** @type {Awaited<ReturnType<typeof startDesk>>} */
	let desk;
	const suite = forSuite();
	before(async () => {
		browser = await browserFor(suite);
		desk = await startDesk(suite);
	});

	test("by keyboard alone, from the link to an allowed change", async (t) => {
		const page = await browser.open(t, desk.link);
		await page.locator('[data-plugin="desk"]').waitFor();
		const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
		/** Goes on until the element has the focus. @param {import("playwright-core").Locator} wanted */
		const tabTo = async (wanted) => {
			await wanted.waitFor();
			for (let times = 0; times < 60; times++) {
				if (await wanted.evaluate((element) => element === document.activeElement)) return;
				await page.keyboard.press("Tab");
			}
			assert.fail(`no way to ${wanted}`);
		};
		await page.keyboard.press("Tab");
		assert.equal(await focused(), "Plugins");
		for (const name of [...TABS.slice(1), "Plugins"]) {
			await page.keyboard.press("ArrowRight");
			assert.equal(await focused(), name);
			assert.equal(await page.getByRole("tab", { selected: true }).textContent(), name);
			assert.equal(await page.getByRole("tabpanel").count(), 1);
		}
		await page.keyboard.press("End");
		assert.equal(await focused(), "Health");
		await page.keyboard.press("Home");
		await tabTo(page.getByRole("button", { name: "Tools of desk" }));
		const outline = await page.evaluate(
			() => getComputedStyle(/** @type {Element} */ (document.activeElement)).outlineStyle,
		);
		assert.equal(outline, "solid", "the focus is seen");
		await page.keyboard.press("Enter");
		await tabTo(page.getByRole("button", { name: "Try the tool pin_note" }));
		await page.keyboard.press("Enter");
		await page.locator("#tool h3", { hasText: "pin_note" }).waitFor();
		await tabTo(page.locator("#tool form").getByLabel("title"));
		await page.keyboard.type("by hand");
		await page.keyboard.press("Enter");
		await page.getByRole("dialog", { name: "May this tool be called?" }).waitFor();
		assert.equal(await focused(), "No");
		await tabTo(page.getByRole("button", { name: "Allow once" }));
		await page.keyboard.press("Enter");
		await page.locator("#outcome .state.ready").waitFor();
		assert.ok(desk.calls().includes('pin_note {"title":"by hand"}'), desk.calls().join("\n"));
	});

	test("at 320 px without a bar below, in every section", async (t) => {
		const page = await browser.open(t, desk.link, { viewport: { width: 320, height: 640 } });
		const fits = async (/** @type {string} */ where) => {
			const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
			assert.ok(Number(needed) <= Number(there), `${where}: ${needed} px`);
		};
		await tryTool(page, "draw_frame");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		await page.locator("#outcome .state.ready").waitFor();
		await fits("a form with its result");
		await tryTool(page, "tear_up_notes");
		await page.getByRole("button", { name: "Call", exact: true }).click();
		await page.getByRole("dialog").waitFor();
		await fits("the question");
		await page.keyboard.press("Escape");
		await page.getByRole("tab", { name: "Search" }).click();
		await page.getByLabel("Words").fill("note");
		await page.keyboard.press("Enter");
		await page.locator("[data-hit]").first().waitFor();
		await page.getByText("Why it stands here").first().click();
		for (const name of TABS) {
			await page.getByRole("tab", { name }).click();
			if (name === "Live calls") await page.locator("#calls summary").first().click();
			if (name === "Tokens") await page.locator(".chart").waitFor();
			if (name === "Health") await page.locator("#log table").first().waitFor();
			await fits(name);
		}
	});

	test("in light and in dark, with words that stand out from their ground in both", async (t) => {
		for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
			const page = await browser.open(t, desk.link, { colorScheme, reducedMotion: "reduce" });
			await page.locator('[data-plugin="archive"]').waitFor();
			const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
			const light = luminance(ground);
			assert.equal(light > 0.5, colorScheme === "light", ground);
			await tryTool(page, "pin_note");
			await page.getByRole("tab", { name: "Plugins" }).click();
			await page.getByRole("button", { name: "Try the tool pin_note" }).waitFor();
			const pairs = await page.evaluate(coloursInSight);
			assert.ok(pairs.length > 12, `${pairs.length} texts`);
			for (const { text, colour, below } of pairs) {
				const [more, less] = [luminance(colour), luminance(below)].sort((a, b) => b - a);
				const contrast = (Number(more) + 0.05) / (Number(less) + 0.05);
				assert.ok(contrast >= 4.5, `${colorScheme}: ${text}: ${contrast.toFixed(2)} (${colour} on ${below})`);
			}
			const moving = await page.evaluate(
				() => getComputedStyle(/** @type {Element} */ (document.querySelector("button"))).transitionDuration,
			);
			assert.equal(moving, "0s", "nothing moves where that is not wanted");
		}
	});
});

/** Runs in the page: each text with its colour and the nearest ground below it. */
function coloursInSight() {
	const found = [];
	for (const element of document.querySelectorAll("main *, header *")) {
		const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
		const disabled = element.matches("option, :disabled, :disabled *");
		if (!own || disabled || element.getClientRects().length === 0) continue;
		let below = "rgb(0, 0, 0)";
		for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
			const colour = getComputedStyle(at).backgroundColor;
			if (!colour.endsWith(", 0)")) {
				below = colour;
				break;
			}
		}
		found.push({ text: element.textContent?.slice(0, 40), colour: getComputedStyle(element).color, below });
	}
	return found;
}

/** As WCAG 2 has it. @param {string} colour `rgb(r, g, b)` */
function luminance(colour) {
	const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
		const share = Number(part) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
