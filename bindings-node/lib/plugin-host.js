import { errEnvelope, okEnvelope } from "./envelope.js";
import { notOpen, PluginThread } from "./plugin-thread.js";

/** @typedef {import("./plugin-thread.js").Surroundings} Surroundings */

/** Answers the core's ops for the JavaScript plugins, each of which has a worker thread of its own. */
export class PluginHost {
	#surroundings;
	/** @type {Map<string, PluginThread>} */
	#threads = new Map();

	/** @param {Pick<Surroundings, "onSkillCall" | "killTree"> & Partial<Surroundings>} surroundings */
	constructor(surroundings) {
		this.#surroundings = {
			log: (/** @type {string} */ line) => void process.stderr.write(`${line}\n`),
			onProgress: () => {},
			watchGroup: () => {},
			forgetGroup: () => {},
			unresponsiveMs: 5000,
			...surroundings,
		};
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
			const { plugin, env = {}, inheritEnv = true } = JSON.parse(json);
			if (op === "open") return await this.#open(plugin, inheritEnv ? { ...process.env, ...env } : env, json);
			if (op === "close") return await this.#close(plugin);
			const thread = this.#threads.get(plugin);
			if (op === "cancel") {
				void thread?.cancel(json);
				return okEnvelope(null);
			}
			if (!thread) return errEnvelope(notOpen(plugin));
			return (await thread.send(op, json)).envelope;
		} catch (error) {
			return errEnvelope(error);
		}
	}

	/** Stops every plugin. */
	async close() {
		await Promise.all([...this.#threads.keys()].map((plugin) => this.#close(plugin)));
	}

	/** Synchronous, for an `exit` hook: stops every plugin and kills the processes that they started. */
	closeNow() {
		for (const thread of this.#threads.values()) thread.stopNow();
		this.#threads.clear();
	}

	/**
	 * Always in a fresh thread: modules that failed once, or have changed since, are read anew.
	 *
	 * @param {string} plugin
	 * @param {Record<string, string | undefined>} env
	 * @param {string} json
	 */
	async #open(plugin, env, json) {
		const former = this.#threads.get(plugin);
		const thread = new PluginThread(plugin, this.#surroundings, env);
		this.#threads.set(plugin, thread);
		await former?.stop();
		const { envelope, ok } = await thread.send("open", json);
		if (!ok) await thread.stop();
		return envelope;
	}

	/** @param {string} plugin */
	async #close(plugin) {
		const thread = this.#threads.get(plugin);
		this.#threads.delete(plugin);
		await thread?.stop();
		return okEnvelope(null);
	}
}
