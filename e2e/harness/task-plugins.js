import path from "node:path";
import { Runtime } from "@rckflr/agent-tools-runtime";
import { temporaryFolder } from "../processes/places.js";
import { livemcpServers, writeLivemcpPlugins } from "./livemcp-plugins.js";

/** @typedef {import("../fixtures/tasks.js").Task} Task */

const servers = livemcpServers();

/**
 * The 70 plugins, with a cache that knows what they offer, as after a first use. Returns what a client's environment needs.
 *
 * @returns {Promise<{AGENT_TOOLS_PLUGINS_DIR: string, AGENT_TOOLS_CACHE_DIR: string}>}
 */
export async function taskPlugins() {
	const root = temporaryFolder("agent-tools-tasks");
	const folder = path.join(root, "plugins");
	const cacheDir = path.join(root, "cache");
	writeLivemcpPlugins(folder);
	const runtime = await Runtime.open({ pluginDirs: [folder], packageRoot: root, config: false, cacheDir });
	await runtime.loadAll();
	const { plugins } = await runtime.status();
	await runtime.close();
	const unknown = plugins.filter(({ tools }) => !tools);
	if (plugins.length !== servers.length || unknown.length > 0) {
		throw new Error(`not listed: ${unknown.map(({ prefix, reason }) => `${prefix} ${reason}`).join(", ")}`);
	}
	return { AGENT_TOOLS_PLUGINS_DIR: folder, AGENT_TOOLS_CACHE_DIR: cacheDir };
}

/** The plugin of a task's server. @param {Task} task */
export function prefixOf({ server }) {
	const found = servers.find((known) => known.server === server);
	if (!found) throw new Error(`no server ${server}`);
	return found.prefix;
}

/** What a call needs besides its arguments: consent, unless the tool only reads. @param {Task} task */
export function consentFor({ server, tool }) {
	const listed = servers.find((known) => known.server === server)?.tools.find(({ name }) => name === tool);
	if (!listed) throw new Error(`no tool ${server}/${tool}`);
	return listed.annotations?.readOnlyHint ? {} : { confirm: true };
}

/** What the plugin answers to a task's call. @param {Task} task */
export function answerTo({ tool }) {
	return `${tool} was called with`;
}
