import { isatty } from "node:tty";
import { awake } from "./awake.js";
import { openBrowser } from "./open-browser.js";
import { print, printWarnings, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} prefix
 */
export async function run(options, prefix) {
	await runRuntime(options, async (runtime) => {
		printWarnings((await runtime.status()).warnings);
		const outcome = await awake(() => runtime.login(prefix, show));
		if (options.json) return print(`${JSON.stringify({ prefix, ...outcome }, null, 2)}\n`);
		say(`Logged in to ${outcome.server}.`);
	});
}

/** @param {string} url */
function show(url) {
	say(`Open this address in a browser to log in (Ctrl-C ends):\n\n  ${url}\n`, { verbatim: true });
	if (isatty(2)) openBrowser(url);
}
