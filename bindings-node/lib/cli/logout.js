import { print, printWarnings, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} prefix
 */
export async function run(options, prefix) {
	await runRuntime(options, async (runtime) => {
		printWarnings((await runtime.status()).warnings);
		const outcome = await runtime.logout(prefix);
		if (options.json) return print(`${JSON.stringify({ prefix, ...outcome }, null, 2)}\n`);
		if (!outcome.forgotten) return say(`There was no login to ${outcome.server}.`);
		const there = outcome.revoked ? "and the server has ended it" : "but the server did not confirm its end";
		say(`The login to ${outcome.server} is forgotten here, ${there}.`);
	});
}
