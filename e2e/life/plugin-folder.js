import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { temporaryFolder } from "../processes/places.js";

const SERVER = fileURLToPath(new URL("server.sh", import.meta.url));

/** One for all of a file's tests. */
const ROOT = temporaryFolder("agent-tools-life");

/** A tool as the small server lists it. @param {string} name @param {object} [annotations] */
export const tool = (name, annotations = { readOnlyHint: true }) => ({
	name,
	inputSchema: { type: "object", properties: {} },
	annotations,
});

/**
 * Plugins in a folder of their own, each with a small server, a cache that nobody else has, and a user who trusts what
 * servers say of their tools: they change as they like. How a change waits for the user is tested in `e2e/trust`.
 */
export class PluginFolder {
	#root = mkdtempSync(path.join(ROOT, "plugins-"));

	constructor() {
		mkdirSync(this.folder);
		mkdirSync(this.configDir);
		this.configure({ trust: { definitions: "off" } });
	}

	/** The user's own configuration, which leaves out what this repository has installed. @param {object} content */
	configure(content) {
		const whole = { plugins: onlyRepositoryPlugins(), ...content };
		writeFileSync(path.join(this.configDir, "agent-tools.json"), JSON.stringify(whole));
	}

	get configDir() {
		return path.join(this.#root, "config");
	}

	get dataDir() {
		return path.join(this.#root, "data");
	}

	get folder() {
		return path.join(this.#root, "plugins");
	}

	get cacheDir() {
		return path.join(this.#root, "cache");
	}

	get cachedListings() {
		return path.join(this.cacheDir, "catalogues");
	}

	/** What a command needs to serve these plugins, besides what every program needs. */
	get ownEnv() {
		return {
			AGENT_TOOLS_PLUGINS_DIR: this.folder,
			AGENT_TOOLS_CACHE_DIR: this.cacheDir,
			AGENT_TOOLS_CONFIG_DIR: this.configDir,
			AGENT_TOOLS_DATA_DIR: this.dataDir,
		};
	}

	/** For a command that serves these plugins. */
	get env() {
		return { ...process.env, ...this.ownEnv };
	}

	/** For a runtime in this process. */
	get options() {
		const trust = /** @type {const} */ ({ definitions: "off" });
		return {
			pluginDirs: [this.folder],
			packageRoot: this.#root,
			cacheDir: this.cacheDir,
			dataDir: this.dataDir,
			trust,
		};
	}

	/**
	 * What a manifest says of a plugin's small server.
	 *
	 * @param {string} prefix
	 * @param {Record<string, unknown>} [more]
	 */
	settings(prefix, more = {}) {
		const args = [SERVER, this.#file(prefix, "tools.json"), this.#file(prefix, "starts")];
		return { prefix, mcp: { command: "sh", args }, ...more };
	}

	/**
	 * Adds or changes a plugin.
	 *
	 * @param {string} prefix
	 * @param {{tools?: object[], manifest?: Record<string, unknown>}} [content]
	 */
	add(prefix, { tools, manifest } = {}) {
		if (tools || !this.#has(prefix, "tools.json")) this.offer(prefix, tools ?? [tool("look")]);
		this.write(prefix, JSON.stringify(this.settings(prefix, manifest)));
	}

	/** @param {string} prefix @param {string} text of the manifest */
	write(prefix, text) {
		mkdirSync(this.dir(prefix), { recursive: true });
		writeFileSync(path.join(this.dir(prefix), "plugin.json"), text);
	}

	/** @param {string} prefix */
	dir(prefix) {
		return path.join(this.folder, `agent-tools-plugin-${prefix}`);
	}

	/** @param {string} prefix */
	remove(prefix) {
		rmSync(this.dir(prefix), { recursive: true });
	}

	/** What the plugin's server lists from now on. @param {string} prefix @param {object[]} tools */
	offer(prefix, tools) {
		writeFileSync(this.#file(prefix, "tools.json"), JSON.stringify(tools));
	}

	/** The processes that were started for a plugin. @param {string} prefix */
	starts(prefix) {
		if (!this.#has(prefix, "starts")) return [];
		return readFileSync(this.#file(prefix, "starts"), "utf8").split("\n").filter(Boolean).map(Number);
	}

	/** @param {string} prefix @param {string} name */
	#file(prefix, name) {
		return path.join(this.#root, `${prefix}.${name}`);
	}

	/** @param {string} prefix @param {string} name */
	#has(prefix, name) {
		try {
			readFileSync(this.#file(prefix, name));
			return true;
		} catch {
			return false;
		}
	}
}
