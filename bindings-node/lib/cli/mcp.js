import { isatty } from "node:tty";
import { noPlugins } from "./http.js";
import { printWarningsOf, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * The core reads stdin and writes stdout by itself. Nothing here may touch `process.stdin` or `process.stdout`: Node
 * makes their pipes non-blocking, which the core does not expect.
 *
 * @param {import("./command-line.js").CommandOptions} options
 */
export async function run(options) {
	const view = { kind: viewOf(options.view), plugin: options.plugin };
	/** @param {import("../runtime.js").Runtime} runtime */
	const serve = async (runtime) => {
		const { plugins } = await runtime.status();
		await printWarningsOf(runtime);
		if (options.plugin !== undefined) checkKnown(options.plugin, plugins);
		if (isatty(0)) say("Waiting for MCP messages on stdin; Ctrl-D ends.");
		await runtime.serveStdio({ view });
	};
	await runRuntime(options, serve, { watch: true });
}

/**
 * @param {string} [view]
 * @returns {import("../../index.d.ts").View["kind"]}
 */
function viewOf(view = "facade") {
	if (view === "facade" || view === "flat") return view;
	throw new UsageError(`--view is \`facade\` or \`flat\`, not \`${view}\``);
}

/**
 * A client could not tell a wrong prefix from a plugin that is broken.
 *
 * @param {string} prefix
 * @param {import("../../index.d.ts").PluginStatus[]} plugins
 */
function checkKnown(prefix, plugins) {
	const known = plugins.map((plugin) => plugin.prefix);
	if (known.includes(prefix)) return;
	const near = suggest(prefix, known);
	const all = known.length > 0 ? `The plugins are: ${known.join(", ")}.` : `There are ${noPlugins}.`;
	throw new UsageError(`there is no plugin \`${prefix}\``, near ? `Did you mean \`${near}\`? ${all}` : all);
}
