import assert from "node:assert/strict";
import { after } from "node:test";
import { startChromium } from "../harness/browser.js";

/** What is begun in a hook and ends with the suite: `after` there would end it with the hook. */
export function forSuite() {
	/** @type {(() => unknown)[]} */
	const ends = [];
	after(async () => {
		for (const end of ends.reverse()) await end();
	});
	return { after: (/** @type {() => unknown} */ end) => void ends.push(end) };
}

/**
 * A browser for the tests of a file, whose pages may ask nobody but the server that they come from.
 *
 * @param {{after(fn: () => unknown): void}} t
 */
export async function browserFor(t) {
	const browser = await startChromium(t);
	return {
		/**
		 * A tab of its own, with the link open; closed when the test ends, which then says what was wrong with it.
		 *
		 * @param {import("node:test").TestContext} test
		 * @param {string} link
		 * @param {import("playwright-core").BrowserContextOptions} [options]
		 */
		open: async (test, link, options = {}) => {
			const context = await browser.newContext({ viewport: { width: 1000, height: 760 }, ...options });
			const page = await context.newPage();
			const { origin } = new URL(link);
			/** @type {string[]} */
			const foreign = [];
			/** @type {string[]} */
			const errors = [];
			context.on("request", (request) => {
				const url = new URL(request.url());
				if (url.protocol !== "data:" && url.origin !== origin) foreign.push(request.url());
			});
			page.on("pageerror", (error) => errors.push(error.message));
			test.after(async () => {
				await context.close();
				assert.deepEqual(foreign, [], "requests to elsewhere");
				assert.deepEqual(errors, [], "errors of the page");
			});
			page.setDefaultTimeout(30_000);
			await page.goto(link);
			return page;
		},
	};
}

/**
 * Opens the form of a tool from the plugins.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export async function tryTool(page, name) {
	await page.getByRole("tab", { name: "Plugins" }).click();
	const tools = page.getByRole("button", { name: "Tools of desk" });
	await tools.waitFor();
	if ((await tools.getAttribute("aria-expanded")) === "false") await tools.click();
	await page.getByRole("button", { name: `Try the tool ${name}`, exact: true }).click();
	await page.locator("#tool h3", { hasText: name }).waitFor();
}
