import { AgentToolsError } from "./agent-tools-error.js";
import { jsonText } from "./json-text.js";
import { progressReporter } from "./progress-report.js";
import { skillAdapter } from "./skill-adapter.js";

/**
 * @typedef {Record<string, unknown>} Json
 * @typedef {import("../index.d.ts").WorkOptions} WorkOptions
 *
 * @typedef {object} Adapter the contract of a plugin's JavaScript adapter; every method but `call` and `listTools` is optional
 * @property {(name: string, args: unknown, options?: WorkOptions) => unknown} call
 * @property {() => unknown} listTools
 * @property {(name: string) => unknown} [describe]
 * @property {(query: string, limit?: number) => unknown} [search]
 * @property {() => unknown} [discoverContext]
 *
 * @typedef {object} Skill
 * @property {(adapter: Adapter, args: unknown, options: WorkOptions) => unknown} run
 * @property {Json} meta what the core is told about it
 *
 * @typedef {(callId: string, tool: string, argumentsJson: string) => Promise<string>} CallCore
 *
 * @typedef {object} Request the fields that the ops use
 * @property {string} plugin
 * @property {string} callId
 * @property {string} tool
 * @property {string} skill
 * @property {unknown} arguments
 */

/** One open plugin: answers the ops of the border for an adapter and its skills, wherever they run. */
export class PluginSession {
	#adapter;
	#skills;
	#callCore;
	#report;
	/** @type {Map<string, AbortController>} */
	#running = new Map();

	/**
	 * @param {object} parts
	 * @param {Adapter} [parts.adapter]
	 * @param {Map<string, Skill>} [parts.skills] a Map, since a skill may be asked for as "constructor"
	 * @param {CallCore} parts.callCore
	 * @param {(callId: string, progressJson: string) => void} [parts.report]
	 */
	constructor({ adapter, skills = new Map(), callCore, report = () => {} }) {
		this.#adapter = adapter;
		this.#skills = skills;
		this.#callCore = callCore;
		this.#report = report;
	}

	/** The answer to `open`. */
	describeSelf() {
		return {
			hasAdapter: this.#adapter !== undefined,
			hasContext: typeof this.#adapter?.discoverContext === "function",
			skills: [...this.#skills].map(([name, { meta }]) => ({ ...meta, name })),
		};
	}

	/**
	 * @param {string} op
	 * @param {Request} request
	 * @returns {Promise<unknown>}
	 */
	async dispatch(op, request) {
		switch (op) {
			case "listTools":
				return this.#listTools();
			case "describe":
				return this.#describe(request.tool);
			case "discoverContext":
				return this.#required("discoverContext")();
			case "call":
				return this.#run(request.callId, (options) =>
					this.#required("call")(request.tool, request.arguments ?? {}, options),
				);
			case "runSkill":
				return this.#runSkill(request);
			case "cancel":
				this.#running.get(request.callId)?.abort();
				return null;
			default:
				throw new AgentToolsError("INTERNAL", `Unknown op: ${op}`);
		}
	}

	/** Tells every call that still runs to stop. */
	abortAll() {
		for (const controller of this.#running.values()) controller.abort();
	}

	async #listTools() {
		const listed = await this.#required("listTools")();
		return Array.isArray(listed) ? { tools: listed } : listed;
	}

	/** @param {string} tool */
	async #describe(tool) {
		if (this.#adapter?.describe) return this.#adapter.describe(tool);
		const { tools = [] } = /** @type {{tools?: Json[]}} */ (await this.#listTools());
		const found = tools.find(({ name }) => name === tool);
		if (!found) throw new AgentToolsError("UNKNOWN_TOOL", `Unknown tool: ${tool}`);
		return found;
	}

	/** @param {Request} request */
	async #runSkill({ callId, skill: name, arguments: args = {} }) {
		const skill = this.#skills.get(name);
		if (!skill) throw new AgentToolsError("UNKNOWN_SKILL", `Unknown skill: ${name}`);
		const adapter = skillAdapter(this.#adapter, async (tool, toolArgs = {}) =>
			JSON.parse(await this.#callCore(callId, tool, jsonText(toolArgs))),
		);
		return this.#run(callId, (options) => skill.run(adapter, args, options));
	}

	/**
	 * @param {string} callId
	 * @param {(options: WorkOptions) => unknown} work
	 */
	async #run(callId, work) {
		const controller = new AbortController();
		this.#running.set(callId, controller);
		try {
			return await work({
				signal: controller.signal,
				progress: progressReporter((json) => this.#report(callId, json)),
			});
		} finally {
			this.#running.delete(callId);
		}
	}

	/**
	 * @template {"call" | "listTools" | "discoverContext"} K
	 * @param {K} method
	 * @returns {NonNullable<Adapter[K]>}
	 */
	#required(method) {
		const adapter = this.#adapter;
		const found = adapter?.[method];
		if (!adapter || typeof found !== "function") {
			throw new AgentToolsError("NOT_AVAILABLE", `The plugin's adapter has no method ${method}()`);
		}
		return /** @type {NonNullable<Adapter[K]>} */ (/** @type {Function} */ (found).bind(adapter));
	}
}
