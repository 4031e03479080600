import { AgentToolsError } from "./agent-tools-error.js";
import { errEnvelope, okEnvelope } from "./envelope.js";
import { parseExactly } from "./json-text.js";
import { PluginSession } from "./plugin-session.js";

/**
 * @typedef {import("../index.d.ts").AdapterPlugin} AdapterPlugin
 * @typedef {import("../index.d.ts").RuntimeOptions["adapters"]} Adapters
 */

/** Answers the core's ops for adapters that are objects of the embedding program, on its own thread. */
export class HostAdapters {
	/** @type {Map<string, PluginSession>} */
	#sessions = new Map();

	/** The plugins as the core is told of them. */
	inlinePlugins;

	/**
	 * @param {Adapters} adapters
	 * @param {(plugin: string, callId: string, progressJson: string) => void} [onProgress]
	 */
	constructor(adapters, onProgress = () => {}) {
		this.inlinePlugins = listed(adapters).map(({ adapter, ...plugin }) => {
			this.#sessions.set(plugin.prefix, sessionOf(plugin.prefix, adapter, onProgress));
			return { ...plugin, host: true };
		});
	}

	/** @param {string} prefix */
	has(prefix) {
		return this.#sessions.has(prefix);
	}

	/**
	 * Always resolves to an envelope.
	 *
	 * @param {string} op
	 * @param {string} json
	 * @returns {Promise<string>}
	 */
	async dispatch(op, json) {
		try {
			const request = parseExactly(json);
			const session = this.#sessions.get(request.plugin);
			if (!session) throw new AgentToolsError("INTERNAL", `No adapter for the prefix "${request.plugin}"`);
			if (op === "open") return okEnvelope(session.describeSelf());
			if (op === "close") {
				// The adapter belongs to the embedding program, which may go on using it.
				session.abortAll();
				return okEnvelope(null);
			}
			return okEnvelope(await session.dispatch(op, request));
		} catch (error) {
			return errEnvelope(error);
		}
	}
}

/**
 * @param {Adapters} adapters
 * @returns {AdapterPlugin[]}
 */
function listed(adapters = []) {
	if (Array.isArray(adapters)) return adapters;
	return Object.entries(adapters).map(([prefix, adapter]) => ({ prefix, adapter }));
}

/**
 * @param {string} prefix
 * @param {AdapterPlugin["adapter"]} adapter
 * @param {(plugin: string, callId: string, progressJson: string) => void} onProgress
 */
function sessionOf(prefix, adapter, onProgress) {
	for (const method of /** @type {const} */ (["listTools", "call"])) {
		if (typeof adapter?.[method] !== "function") {
			throw new AgentToolsError("CONFIG_INVALID", `The adapter "${prefix}" has no method ${method}()`, {
				hint: "An adapter is an object with listTools() and call(name, args).",
			});
		}
	}
	const callCore = async () => {
		throw new AgentToolsError("NOT_AVAILABLE", "An adapter of the embedding program has no skills");
	};
	const report = (/** @type {string} */ callId, /** @type {string} */ json) => onProgress(prefix, callId, json);
	return new PluginSession({ adapter, callCore, report });
}
