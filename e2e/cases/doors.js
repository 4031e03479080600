import { Runtime } from "../../bindings-node/index.js";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { CLI } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";
import { EXAMPLES_ONLY, EXAMPLES_ONLY_FILE } from "../harness/repository-plugins.js";
import { StdioSession } from "../harness/stdio-session.js";

/**
 * A way into the runtime, with one plugin behind it.
 *
 * @typedef {object} Door
 * @property {string} name
 * @property {import("./plugin.js").Plugin} plugin
 * @property {number} pid of the process that holds the core
 * @property {(view?: View) => Promise<any[]>} tools
 * @property {(name: string, args: unknown, options?: {session?: string, view?: View}) => Promise<Answer>} call
 *
 * `code` and `failure` are of an answer that is an error; `text` is that of all its text parts, or of the refusal;
 * `found` is what `discover` says to programs.
 *
 * @typedef {{kind: string, plugin?: string}} View
 * @typedef {{isError: boolean, code?: string, failure?: any, text: string, content: any[], structuredContent?: any, found?: any}} Answer
 */

const FACADE = { kind: "facade" };

/** @type {Record<string, (t: import("node:test").TestContext, plugin: import("./plugin.js").Plugin) => Promise<Door>>} */
export const DOORS = {
	"in process": async (t, plugin) => {
		const { folder, trust } = plugin;
		const runtime = await Runtime.open({ pluginDirs: [folder], trust, config: EXAMPLES_ONLY_FILE });
		t.after(() => runtime.close());
		return {
			name: "in process",
			plugin,
			pid: process.pid,
			tools: (view) => runtime.tools(view),
			call: (name, args, options) => runtime.callTool(name, args, options).then(read, refused),
		};
	},

	stdio: async (t, plugin) => {
		/** @type {Map<string, StdioSession>} each session is a server of its own */
		const servers = new Map();
		const server = async ({ session = "first", view = FACADE } = {}) => {
			const key = JSON.stringify([session, view]);
			const known = servers.get(key);
			if (known) return known;
			const args = [CLI, "mcp", "--view", view.kind, ...(view.plugin ? ["--plugin", view.plugin] : [])];
			const opened = new StdioSession("legacy", process.execPath, args, { env: environment(plugin) });
			servers.set(key, opened);
			t.after(() => stop(opened));
			await opened.open();
			return opened;
		};
		const { child } = await server();
		return {
			name: "stdio",
			plugin,
			pid: Number(child.pid),
			tools: async (view) => (await (await server({ view })).request("tools/list")).result.tools,
			call: async (name, args, options) =>
				readMcp(await (await server(options)).request("tools/call", { name, arguments: args })),
		};
	},

	http: async (t, plugin) => {
		const { port, child } = await startHttp(t, { env: environment(plugin) });
		const exchange = async (method, params, { session, view = FACADE } = {}) => {
			const reply = await send({
				port,
				path: `/mcp${view.plugin ? `/${view.plugin}` : ""}?view=${view.kind}`,
				headers: { ...headers("legacy", method), ...(session ? { "mcp-session-id": session } : {}) },
				body: request("legacy", 1, method, params),
			});
			return reply.json();
		};
		return {
			name: "http",
			plugin,
			pid: Number(child.pid),
			tools: async (view) => (await exchange("tools/list", {}, { view })).result.tools,
			call: async (name, args, options) =>
				readMcp(await exchange("tools/call", { name, arguments: args }, { session: "first", ...options })),
		};
	},
};

/** @param {import("./plugin.js").Plugin} plugin */
export function environment({ folder, configDir = EXAMPLES_ONLY }) {
	return { ...process.env, AGENT_TOOLS_PLUGINS_DIR: folder, AGENT_TOOLS_CONFIG_DIR: configDir };
}

/** @param {StdioSession} session */
async function stop({ child, ended }) {
	child.kill();
	await ended;
}

/** @returns {Answer} */
function readMcp({ result, error }) {
	if (!error) return read(result);
	return refused({ code: error.data?.code ?? error.code, message: error.message, hint: error.data?.hint });
}

/** @returns {Answer} */
function read({ content, isError = false, structuredContent, _meta }) {
	const text = content.map((part) => part.text ?? "").join("\n");
	// In the flat view a tool's own error stands as the tool gave it.
	const failure = isError && text.startsWith("{") ? JSON.parse(content[0].text) : undefined;
	const found = _meta?.["agent-tools/discover"];
	return { isError, code: failure?.code, failure, text, content, structuredContent, found };
}

/** @returns {Answer} */
function refused({ code, message, hint }) {
	return {
		isError: true,
		code,
		failure: { code, error: message, hint },
		text: `${message}\n${hint ?? ""}`,
		content: [],
	};
}
