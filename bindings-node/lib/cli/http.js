import { awake } from "./awake.js";
import { calledAs } from "./called-as.js";
import { connectGuide, pageGuide } from "./connect-guide.js";
import { outlivesTerminal } from "./hangup.js";
import { print, printWarningsOf, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { UsageError } from "./usage-error.js";
import { version } from "./version.js";
import { namedView, viewFor } from "./view.js";

/** @param {import("./command-line.js").CommandOptions} options */
export async function run(options) {
	const { env } = process;
	const view = namedView(options.view);
	const address = {
		host: options.host ?? (env.AGENT_TOOLS_HTTP_HOST || undefined),
		port: portOf(options.port ?? (env.AGENT_TOOLS_HTTP_PORT || "8321")),
		// An empty one is a mistake, which the core refuses: nobody sets it to be without.
		token: options.token ?? env.AGENT_TOOLS_HTTP_TOKEN,
		approvedByClient: options["approved-by-client"],
		allowedHosts: options["allowed-host"],
		allowedOrigins: options["allowed-origin"],
		metrics: options.metrics,
		page: pageOf(options),
	};
	/** @param {import("../runtime.js").Runtime} runtime */
	const serve = async (runtime) => {
		const status = await runtime.status();
		const { url, host, port, pageUrl } = await runtime.serveHttp({ ...address, view: viewFor(view, status) });
		const prefixes = status.plugins.map(({ prefix }) => prefix);
		await printWarningsOf(runtime);
		if (options.json) await print(`${JSON.stringify({ url, host, port, pageUrl, plugins: prefixes })}\n`);
		say(`agent-tools-runtime ${version} listens on ${url}`);
		say(prefixes.length > 0 ? `plugins: ${prefixes.join(", ")}` : noPlugins);
		if (pageUrl !== undefined) say(pageGuide(pageUrl), { verbatim: true });
		const { token, allowedHosts } = address;
		say(connectGuide({ url, prefixes, withToken: token !== undefined, allowedHosts }));
		await forever();
	};
	await runRuntime(options, serve, { ignoreHangup: outlivesTerminal(), watch: true, view });
}

export const noPlugins =
	`no plugins; add a server with \`${calledAs()} add\`, use those of other clients with \`${calledAs()} import\`, or install a plugin with ` +
	"`npm install agent-tools-plugin-…`";

/**
 * Nothing where the options do not say: the core decides by who can reach the server.
 *
 * @param {import("./command-line.js").CommandOptions} options
 */
function pageOf({ page, "no-page": without }) {
	if (page && without) throw new UsageError("--page and --no-page ask for opposite things", "Leave one of them out.");
	return without ? false : page;
}

/** @param {string} text */
export function portOf(text) {
	const port = Number(text);
	if (Number.isInteger(port) && port >= 0 && port <= 65_535 && text.trim() !== "") return port;
	throw new UsageError(`the port must be a whole number from 0 to 65535, not \`${text}\``);
}

function forever() {
	return awake(() => new Promise(() => {}));
}
