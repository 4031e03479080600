import { isatty } from "node:tty";
import { printWarnings, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { UsageError } from "./usage-error.js";

/**
 * The core reads stdin and writes stdout by itself. Nothing here may touch `process.stdin` or `process.stdout`: Node
 * makes their pipes non-blocking, which the core does not expect.
 *
 * @param {import("./command-line.js").CommandOptions} options
 */
export async function run(options) {
	const view = { kind: viewOf(options.view), plugin: options.plugin };
	await runRuntime(options, async (runtime) => {
		printWarnings((await runtime.status()).warnings);
		if (isatty(0)) say("Waiting for MCP messages on stdin; Ctrl-D ends.");
		await runtime.serveStdio({ view });
	});
}

/**
 * @param {string} [view]
 * @returns {import("../../index.d.ts").View["kind"]}
 */
function viewOf(view = "facade") {
	if (view === "facade" || view === "flat") return view;
	throw new UsageError(`--view is \`facade\` or \`flat\`, not \`${view}\``);
}
