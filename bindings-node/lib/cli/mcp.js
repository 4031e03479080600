import { isatty } from "node:tty";
import { checkKnown } from "./known-plugin.js";
import { printWarningsOf, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { namedView, viewFor } from "./view.js";

/**
 * The core reads stdin and writes stdout by itself. Nothing here may touch `process.stdin` or `process.stdout`: Node
 * makes their pipes non-blocking, which the core does not expect.
 *
 * @param {import("./command-line.js").CommandOptions} options
 */
export async function run(options) {
	const view = namedView(options.view);
	/** @param {import("../runtime.js").Runtime} runtime */
	const serve = async (runtime) => {
		const status = await runtime.status();
		await printWarningsOf(runtime);
		if (options.plugin !== undefined) checkKnown(options.plugin, status.plugins);
		if (isatty(0)) say("Waiting for MCP messages on stdin; Ctrl-D ends.");
		await runtime.serveStdio({ view: { kind: viewFor(view, status), plugin: options.plugin } });
	};
	await runRuntime(options, serve, { watch: true, view });
}
