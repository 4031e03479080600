import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startHttp } from "../harness/cli-http.js";
import { CLI } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { NODE24, temporaryFolder } from "../processes/places.js";

/** How a client reaches the runtime. @typedef {"stdio" | "http"} Way */

/**
 * The home of a user who has the plugin `demo` and nothing else: no settings, credentials or sessions of the developer's.
 *
 * @param {object} [settings] more for their agent-tools.json
 */
export function makePlace(settings = {}) {
	const home = temporaryFolder("client");
	const folder = path.join(home, "work");
	mkdirSync(folder);
	const plugins = onlyRepositoryPlugins("demo");
	writeJson(path.join(home, ".config/agent-tools/agent-tools.json"), { plugins, ...settings });
	const env = { HOME: home, PATH: `${path.dirname(NODE24)}${path.delimiter}${process.env.PATH}` };
	return { home, folder, env };
}

/** The command that serves the runtime over stdio. */
export const SERVER = { command: NODE24, args: [CLI, "mcp"] };

/**
 * The runtime, as an entry of `mcpServers`.
 *
 * @param {import("node:test").TestContext} t
 * @param {Way} way
 * @param {ReturnType<typeof makePlace>} place
 * @returns {Promise<{command: string, args: string[]} | {type: "http", url: string}>}
 */
export async function serverEntry(t, way, { env, folder }) {
	if (way === "stdio") return SERVER;
	const { url } = await startHttp(t, { env, cwd: folder });
	return { type: "http", url };
}

/**
 * @param {string} file
 * @param {unknown} value
 */
export function writeJson(file, value) {
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(value));
	return file;
}
