import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Runtime } from "../../bindings-node/index.js";

/**
 * A data folder of the test's own, for this process and those that it starts.
 *
 * @param {import("node:test").TestContext} t
 */
export function dataFolder(t) {
	const root = mkdtempSync(path.join(tmpdir(), "agent-tools-oauth-"));
	const folder = path.join(root, "data");
	const before = process.env.AGENT_TOOLS_DATA_DIR;
	process.env.AGENT_TOOLS_DATA_DIR = folder;
	t.after(() => {
		if (before === undefined) delete process.env.AGENT_TOOLS_DATA_DIR;
		else process.env.AGENT_TOOLS_DATA_DIR = before;
		rmSync(root, { recursive: true, force: true });
	});
	const logins = path.join(folder, "logins");
	return {
		root,
		logins,
		/** The files of logins, with what stands in them. */
		kept: () =>
			readdirSync(logins)
				.filter((name) => name.endsWith(".json"))
				.map((name) => ({ file: path.join(logins, name), text: readFileSync(path.join(logins, name), "utf8") })),
	};
}

/**
 * A runtime with the plugin `x`, whose MCP server is at `url`.
 *
 * @param {import("node:test").TestContext} t
 * @param {string} url
 * @param {unknown} auth
 * @param {Record<string, unknown>} [mcp] more keys beside `url`
 */
export async function open(t, url, auth, mcp = {}) {
	const plugin = { prefix: "x", mcp: { url, auth, ...mcp } };
	const runtime = await Runtime.open({ pluginDirs: [], plugins: [/** @type {any} */ (plugin)] });
	t.after(() => runtime.close());
	return runtime;
}

/**
 * The folder of the same plugin, for a process of its own.
 *
 * @param {string} root
 * @param {string} url
 * @param {unknown} auth
 */
export function pluginFolder(root, url, auth) {
	const folder = path.join(root, "agent-tools-plugin-x");
	mkdirSync(folder, { recursive: true });
	const manifest = { name: "agent-tools-plugin-x", prefix: "x", mcp: { url, auth } };
	writeFileSync(path.join(folder, "plugin.json"), JSON.stringify(manifest));
	return folder;
}

/**
 * A call, with the code and the texts of its failure.
 *
 * @param {Runtime} runtime
 */
export async function call(runtime) {
	const { content, isError } = await runtime.call("x", "whoami");
	const text = content.map((block) => ("text" in block ? block.text : "")).join("\n");
	/** @type {{code?: string, error?: string, hint?: string}} */
	const failure = isError ? JSON.parse(text) : {};
	return { text, ...failure };
}

/**
 * What the plugin's status says of its login.
 *
 * @param {Runtime} runtime
 */
export async function authOf(runtime) {
	return (await runtime.status()).plugins.find(({ prefix }) => prefix === "x")?.auth;
}

/**
 * What a browser does with the address of a login: it goes where it is sent.
 *
 * @param {string} url
 */
export async function visit(url) {
	const response = await fetch(url);
	return { status: response.status, page: await response.text() };
}
