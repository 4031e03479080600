import assert from "node:assert/strict";
import path from "node:path";
import { Runtime } from "../../bindings-node/index.js";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { CLI, fixturePlugin } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";
import { StdioSession } from "../harness/stdio-session.js";

/**
 * A way into the runtime. What it gives back has the door's own envelope taken off.
 *
 * @typedef {object} Door
 * @property {string} name
 * @property {(view: View) => Promise<unknown[]>} tools
 * @property {(view: View, name: string, args: unknown) => Promise<Answer>} call
 *
 * @typedef {{kind: string, plugin?: string}} View
 * @typedef {{content: any[], isError: boolean, structuredContent?: unknown} | {refused: {code: string, message: string, hint?: string}}} Answer
 */

const ENV = {
	AGENT_TOOLS_PLUGINS_DIR: [fixturePlugin("notes"), fixturePlugin("real")].join(path.delimiter),
	AGENT_TOOLS_E2E_MARKER: "parity",
	// Nothing is kept, so that no door begins with what another one has listed.
	AGENT_TOOLS_CACHE_DIR: "/dev/null",
};

/** @returns {Promise<Door>} */
export async function inProcess(t) {
	Object.assign(process.env, ENV);
	const runtime = await Runtime.open();
	t.after(() => runtime.close());
	return {
		name: "in process",
		tools: (view) => runtime.tools(view),
		call: (view, name, args) =>
			runtime.callTool(name, args, { view }).then(
				({ content, isError, structuredContent }) => ({ content: content.map(masked), isError, structuredContent }),
				({ code, message, hint }) => ({ refused: { code, message, hint } }),
			),
	};
}

/** @returns {Promise<Door>} */
export async function stdio(t, generation) {
	const sessions = new Map();
	const session = async (view) => {
		const key = JSON.stringify(view);
		if (!sessions.has(key)) {
			const opened = new StdioSession(generation, process.execPath, [CLI, "mcp", ...viewFlags(view)], {
				env: { ...process.env, ...ENV },
			});
			t.after(() => opened.child.kill());
			await opened.open();
			sessions.set(key, opened);
		}
		return sessions.get(key);
	};
	return mcpDoor("stdio", generation, async (view, method, params) => (await session(view)).request(method, params));
}

/** @returns {Promise<Door>} */
export async function http(t, generation) {
	const { port } = await startHttp(t, { env: ENV });
	return mcpDoor("http", generation, async (view, method, params) => {
		const reply = await send({
			port,
			path: viewPath(view),
			headers: headers(generation, method, params),
			body: request(generation, 1, method, params),
		});
		return reply.json();
	});
}

function mcpDoor(transport, generation, exchange) {
	return {
		name: `${transport}, ${generation}`,
		tools: async (view) => (await exchange(view, "tools/list", {})).result.tools,
		call: async (view, tool, args) => {
			const { result, error } = await exchange(view, "tools/call", { name: tool, arguments: args });
			// The message of a protocol error has the hint in it too, as many clients show nothing else.
			if (error) return { refused: { code: error.data?.code, message: error.data?.error, hint: error.data?.hint } };
			if (generation === "modern") assert.equal(result.resultType, "complete");
			const { content, isError = false, structuredContent } = result;
			return { content: content.map(masked), isError, structuredContent };
		},
	};
}

/** Each call has a receipt of its own, and what a skill calls takes its own time. */
function masked(part) {
	if (part.type !== "text") return part;
	const text = part.text
		.replaceAll(/"id":"c[0-9a-f]{8}-\d+","tool":("[^"]+"),"at":"[^"]+Z"/g, '"id":"<id>","tool":$1,"at":"<time>"')
		.replaceAll(/"ms":\d+/g, '"ms":0');
	return { ...part, text };
}

function viewFlags({ kind, plugin }) {
	return ["--view", kind, ...(plugin ? ["--plugin", plugin] : [])];
}

function viewPath({ kind, plugin }) {
	return `/mcp${plugin ? `/${plugin}` : ""}?view=${kind}`;
}
