import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startHttp } from "../harness/cli-http.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { until } from "../harness/until.js";

const SERVER = fileURLToPath(new URL("desk-server.mjs", import.meta.url));

/** A plugin that lacks a variable, and says which. */
const UNREADY = {
	name: "agent-tools-plugin-archive",
	version: "0.0.0",
	description: "Old notes",
	extensions: {
		"dev.agent-tools-runtime": {
			prefix: "archive",
			adapter: "./adapter.mjs",
			environment: { ARCHIVE_KEY: { description: "the key to the archive", required: true } },
		},
	},
};

/**
 * `agent-tools http` with the desk, and a plugin that is not ready, in a folder of its own.
 *
 * @param {{after(fn: () => unknown): void}} t
 * @param {{args?: string[], policy?: object, env?: NodeJS.ProcessEnv}} [options]
 */
export async function startDesk(t, { args = [], policy, env: more } = {}) {
	const folder = mkdtempSync(path.join(tmpdir(), "page-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const log = path.join(folder, "calls.log");
	const config = path.join(folder, "agent-tools.json");
	const plugin = path.join(folder, "agent-tools-plugin-archive");
	mkdirSync(plugin);
	writeFileSync(path.join(plugin, "plugin.json"), JSON.stringify(UNREADY));
	writeFileSync(path.join(plugin, "adapter.mjs"), "export default class { listTools() { return []; } }");
	const desk = { command: process.execPath, args: [SERVER, log] };
	const plugins = [...onlyRepositoryPlugins(), { path: plugin }];
	writeFileSync(config, JSON.stringify({ mcpServers: { desk }, plugins, ...(policy && { policy }) }));
	const env = {
		AGENT_TOOLS_PLUGINS_DIR: "",
		AGENT_TOOLS_CONFIG: config,
		AGENT_TOOLS_CONFIG_DIR: path.join(folder, "user"),
		AGENT_TOOLS_CACHE_DIR: path.join(folder, "cache"),
		AGENT_TOOLS_DATA_DIR: path.join(folder, "data"),
		AGENT_TOOLS_AUDIT_DIR: path.join(folder, "audit"),
		ARCHIVE_KEY: "",
		...more,
	};
	const server = await startHttp(t, { args, env });
	await until("guide", () => server.output().includes("Ctrl-C ends."));
	return {
		...server,
		folder,
		env: { ...process.env, ...env },
		/** The link that was printed, if one was. */
		link: /http:\/\/\S+\/#token=\S+/.exec(server.output())?.[0] ?? "",
		/** What reached the desk, a line for each call. */
		calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
	};
}

/** @param {string} link */
export function tokenOf(link) {
	return new URLSearchParams(new URL(link).hash.slice(1)).get("token") ?? "";
}
