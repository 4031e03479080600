import { chromium } from "playwright-core";
import { launchOptions } from "./chromium-program.js";

/**
 * A Chromium with a profile of its own that ends with the tests.
 *
 * @param {{after(fn: () => unknown): void}} t
 */
export async function startChromium(t) {
	const browser = await chromium.launch(launchOptions());
	t.after(() => browser.close());
	return browser;
}
