import path from "node:path";
import { fileURLToPath } from "node:url";
import { AgentToolsError } from "./agent-tools-error.js";
import { askAsText } from "./ask-as-text.js";
import { HostAdapters } from "./host-adapters.js";
import { jsonText } from "./json-text.js";
import { forget, keepUntilExit } from "./live-runtimes.js";
import { native as loadNative } from "./native.js";
import { PluginHost } from "./plugin-host.js";
import { rejectIfCancelled, withSignal } from "./with-signal.js";

/**
 * @typedef {import("../index.d.ts").Runtime} PublicRuntime
 * @typedef {import("../index.d.ts").RuntimeOptions} RuntimeOptions
 * @typedef {import("../index.d.ts").View} View
 * @typedef {import("../index.d.ts").ToolReply} ToolReply
 * @typedef {import("../index.d.ts").CallOptions} CallOptions
 * @typedef {import("../index.d.ts").ConfirmOptions} ConfirmOptions
 * @typedef {import("./native-types.d.ts").Native} Native
 * @typedef {import("./native-types.d.ts").NativeRuntime} NativeRuntime
 */

const PACKAGE_ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * The core in this process. The public documentation is in index.d.ts.
 *
 * @implements {PublicRuntime}
 */
export class Runtime {
	#addon;
	#native;
	#plugins;
	/** @type {Promise<void> | undefined} */
	#closing;
	/** @type {Set<() => void> | undefined} */
	#listeners;

	/**
	 * Private: use `Runtime.open`.
	 *
	 * @param {Native} addon
	 * @param {NativeRuntime} native
	 * @param {PluginHost} plugins
	 */
	constructor(addon, native, plugins) {
		this.#addon = addon;
		this.#native = native;
		this.#plugins = plugins;
		keepUntilExit(this);
	}

	/**
	 * @param {RuntimeOptions} [options]
	 * @param {Native} [addon] for tests
	 * @returns {Promise<Runtime>}
	 */
	static async open(options = {}, addon = loadNative()) {
		const { adapters, plugins = [], onChange, ...rest } = options;
		/** @type {NativeRuntime | undefined} */
		let native;
		const host = new HostAdapters(adapters, (...report) => native?.report(...report));
		const workers = new PluginHost({
			killTree: addon.killTree,
			// Plugins are given secrets, and may write anything.
			log: (line) => void process.stderr.write(`${addon.scrub(line)}\n`),
			onProgress: (...report) => native?.report(...report),
			watchGroup: (pid) => native?.watchGroup(pid),
			forgetGroup: (pid) => native?.forgetGroup(pid),
			onSkillCall: async (...call) => {
				if (!native) throw new AgentToolsError("CLOSED", "The runtime is not open");
				return native.skillCall(...call);
			},
		});
		const optionsJson = jsonText({
			packageRoot: PACKAGE_ROOT,
			pluginDirs: pluginDirsFromEnvironment(),
			config: true,
			...rest,
			plugins: [...plugins, ...host.inlinePlugins],
		});

		try {
			native = addon.NativeRuntime.open(optionsJson, (op, json) => {
				const answerer = host.has(pluginOf(json)) ? host : workers;
				return answerer.dispatch(op, json);
			});
		} catch (error) {
			throw AgentToolsError.from(error);
		}
		const runtime = new Runtime(addon, native, workers);
		if (onChange) runtime.onChange(onChange);
		return runtime;
	}

	/**
	 * @param {View} [view]
	 * @returns {Promise<import("../index.d.ts").Tool[]>}
	 */
	async tools(view = { kind: "facade" }) {
		return JSON.parse(await this.#ask((native) => native.tools(jsonText(view))));
	}

	/**
	 * @param {View} [view]
	 * @returns {Promise<import("../index.d.ts").Tool[]>}
	 */
	async knownTools(view = { kind: "facade" }) {
		return JSON.parse(await this.#ask((native) => native.knownTools(jsonText(view))));
	}

	/**
	 * @param {import("../index.d.ts").AgentSkillOptions} [options]
	 * @returns {Promise<import("../index.d.ts").AgentSkill[]>}
	 */
	async agentSkills(options = {}) {
		return JSON.parse(await this.#ask((native) => native.agentSkills(jsonText(options))));
	}

	/**
	 * @param {import("../index.d.ts").AgentSkillOptions & {folder?: string, prune?: boolean}} [options]
	 * @returns {Promise<import("../index.d.ts").WrittenSkills>}
	 */
	async writeAgentSkills({ folder, prune, ...skills } = {}) {
		return JSON.parse(await this.#ask((native) => native.writeAgentSkills(jsonText({ folder, prune, skills }))));
	}

	/**
	 * @param {View} [view]
	 * @returns {Promise<string>}
	 */
	async instructions(view = { kind: "facade" }) {
		return this.#ask((native) => native.instructions(jsonText(view)));
	}

	/**
	 * @param {string} query
	 * @param {import("../index.d.ts").SearchOptions} [options]
	 * @returns {Promise<import("../index.d.ts").SearchResult>}
	 */
	async search(query, options = {}) {
		return JSON.parse(await this.#ask((native) => native.search(query, jsonText(options))));
	}

	/**
	 * @param {string} name
	 * @param {Record<string, unknown>} [args]
	 * @param {CallOptions} [options]
	 * @returns {Promise<ToolReply>}
	 */
	async callTool(name, args, { signal, view, session, onProgress, ask } = {}) {
		const request = jsonText({ name, arguments: args, view, session });
		const listener = onProgress && ((/** @type {string} */ json) => onProgress(JSON.parse(json)));
		const asked = ask && askAsText(ask);
		const text = await this.#ask((native) =>
			withSignal(signal, this.#addon.CancelHandle, (handle) => native.callTool(request, handle, listener, asked)),
		);
		/** @type {ToolReply} */
		const reply = JSON.parse(text);
		rejectIfCancelled(signal, reply);
		return reply;
	}

	/**
	 * @param {string} prefix
	 * @param {string} [query]
	 * @param {CallOptions} [options]
	 */
	discover(prefix, query, options) {
		return this.callTool(`agent_tools_${prefix}_discover`, query === undefined ? {} : { query }, options);
	}

	/**
	 * @param {string} prefix
	 * @param {string} tool
	 * @param {Record<string, unknown>} [args]
	 * @param {ConfirmOptions} [options]
	 */
	call(prefix, tool, args = {}, { confirm, ...options } = {}) {
		return this.callTool(`agent_tools_${prefix}_call`, { toolName: tool, arguments: args, confirm }, options);
	}

	/**
	 * @param {string} prefix
	 * @param {string} skill
	 * @param {Record<string, unknown>} [args]
	 * @param {ConfirmOptions} [options]
	 */
	runSkill(prefix, skill, args = {}, { confirm, ...options } = {}) {
		return this.callTool(`agent_tools_${prefix}_run_skill`, { skill, arguments: args, confirm }, options);
	}

	help() {
		return this.callTool("agent_tools_help", {});
	}

	/** @returns {Promise<import("../index.d.ts").Status>} */
	async status() {
		return JSON.parse(await this.#ask(async (native) => native.status()));
	}

	async loadAll() {
		await this.#ask((native) => native.loadAll());
	}

	async reload() {
		await this.#ask((native) => native.reload());
	}

	/**
	 * @param {() => void} listener
	 * @returns {() => void}
	 */
	onChange(listener) {
		const listeners = this.#changeListeners();
		const entry = () => listener();
		listeners.add(entry);
		return () => void listeners.delete(entry);
	}

	/**
	 * @param {string} prefix
	 * @param {(url: string) => void} onUrl
	 * @returns {Promise<import("../index.d.ts").LoginOutcome>}
	 */
	async login(prefix, onUrl) {
		return JSON.parse(await this.#ask((native) => native.login(prefix, onUrl)));
	}

	/**
	 * @param {string} prefix
	 * @returns {Promise<import("../index.d.ts").LogoutOutcome>}
	 */
	async logout(prefix) {
		return JSON.parse(await this.#ask((native) => native.logout(prefix)));
	}

	/**
	 * @param {string} prefix
	 * @param {string} name
	 * @returns {Promise<import("../index.d.ts").PolicyExplanation>}
	 */
	async explainPolicy(prefix, name) {
		return JSON.parse(await this.#ask((native) => native.explainPolicy(prefix, name)));
	}

	/**
	 * @param {string} [prefix]
	 * @returns {Promise<import("../index.d.ts").TrustReport>}
	 */
	async trust(prefix) {
		return JSON.parse(await this.#ask((native) => native.trust(prefix)));
	}

	/**
	 * @param {string} prefix
	 * @param {string} [digest]
	 * @returns {Promise<import("../index.d.ts").TrustAccepted>}
	 */
	async accept(prefix, digest) {
		return JSON.parse(await this.#ask((native) => native.accept(prefix, digest)));
	}

	/**
	 * @param {string} prefix
	 * @param {string} name
	 * @returns {Promise<{forgotten: boolean}>}
	 */
	async forgetDecision(prefix, name) {
		return JSON.parse(await this.#ask((native) => native.forgetDecision(prefix, name)));
	}

	/** @param {import("../index.d.ts").StdioOptions} [options] */
	async serveStdio(options = {}) {
		await this.#ask((native) => native.serveStdio(jsonText(options)));
	}

	/**
	 * @param {import("../index.d.ts").HttpOptions} [options]
	 * @returns {Promise<import("../index.d.ts").HttpAddress>}
	 */
	async serveHttp(options = {}) {
		return JSON.parse(await this.#ask((native) => native.serveHttp(jsonText(options))));
	}

	close() {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	closeNow() {
		this.#closing ??= Promise.resolve();
		this.#listeners?.clear();
		try {
			this.#native.closeNow();
		} finally {
			this.#plugins.closeNow();
			forget(this);
		}
	}

	[Symbol.asyncDispose]() {
		return this.close();
	}

	/** The core is asked to tell of changes when somebody first wants to know. */
	#changeListeners() {
		if (this.#listeners) return this.#listeners;
		/** @type {Set<() => void>} */
		const listeners = new Set();
		this.#listeners = listeners;
		this.#native.onChange(() => {
			for (const listener of [...listeners]) listener();
		});
		return listeners;
	}

	async #close() {
		this.#listeners?.clear();
		try {
			await this.#native.close();
		} catch (error) {
			throw AgentToolsError.from(error);
		} finally {
			await this.#plugins.close();
			forget(this);
		}
	}

	/**
	 * @template T
	 * @param {(native: NativeRuntime) => Promise<T>} work
	 * @returns {Promise<T>}
	 */
	async #ask(work) {
		if (this.#closing) {
			throw new AgentToolsError("CLOSED", "This runtime has been closed", { hint: "Open a new one: Runtime.open()." });
		}
		try {
			return await work(this.#native);
		} catch (error) {
			throw AgentToolsError.from(error);
		}
	}
}

function pluginDirsFromEnvironment() {
	return (process.env.AGENT_TOOLS_PLUGINS_DIR ?? "").split(path.delimiter).filter(Boolean);
}

/** @param {string} json */
function pluginOf(json) {
	try {
		return JSON.parse(json).plugin;
	} catch {
		return "";
	}
}
