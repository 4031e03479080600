import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { AgentToolsError } from "./agent-tools-error.js";
import { ChildRegistry } from "./child-registry.js";
import { errEnvelope, reasonOf } from "./envelope.js";
import { LineWriter } from "./line-writer.js";

/**
 * @typedef {object} Surroundings
 * @property {import("./plugin-session.js").CallCore} onSkillCall
 * @property {(plugin: string, callId: string, progressJson: string) => void} onProgress
 * @property {(pid: number) => void} killTree
 * @property {(pid: number) => void} watchGroup has a process group killed should the host disappear
 * @property {(pid: number) => void} forgetGroup
 * @property {(line: string) => void} log
 * @property {number} unresponsiveMs how long a cancelled plugin may block its thread before it is stopped
 *
 * @typedef {{id: number, envelope: string, ok: boolean}} Answer
 * @typedef {{child: number, running: boolean}} ChildNews
 * @typedef {{progress: string, callId: string}} ProgressNews
 * @typedef {{output: import("./redirect-output.js").StreamName, text: string}} Output
 * @typedef {{skillCall: number, callId: string, tool: string, argumentsJson: string}} SkillCall
 * @typedef {Answer | SkillCall | Output | ChildNews | ProgressNews} Message
 */

/** A thread that is waiting inside the system cannot be ended from outside. */
const TERMINATE_MS = 1000;

/** The main side of one plugin's worker thread. Its other side is plugin-worker.js. */
export class PluginThread {
	#prefix;
	#surroundings;
	#worker;
	#port;
	#children = new ChildRegistry();
	#output = {
		stdout: new LineWriter((line) => this.#log(line)),
		stderr: new LineWriter((line) => this.#log(line)),
	};
	#lastId = 0;
	/** @type {Map<number, (answer: {envelope: string, ok: boolean}) => void>} */
	#pending = new Map();
	/** @type {string | undefined} */
	#thrown;
	#ended = false;

	/**
	 * @param {string} prefix
	 * @param {Surroundings} surroundings
	 * @param {Record<string, string | undefined>} [env] what `process.env` holds there
	 */
	constructor(prefix, surroundings, env = process.env) {
		this.#prefix = prefix;
		this.#surroundings = surroundings;
		const { port1, port2 } = new MessageChannel();
		this.#port = port1;
		this.#worker = new Worker(new URL("./plugin-worker.js", import.meta.url), {
			name: `plugin ${prefix}`,
			workerData: { children: this.#children.buffer, port: port2 },
			transferList: [port2],
			// Flags of the host, such as loaders or --input-type, are not meant for plugins.
			execArgv: [],
			env: { ...env },
			// Else whatever a plugin prints would land in the host's stdout, where MCP's messages are.
			stdout: true,
			stderr: true,
		});
		this.#port.on("message", (message) => this.#receive(message));
		this.#worker.on("error", (error) => this.#onError(error));
		this.#worker.on("exit", (code) => this.#onExit(code));
		// Last, since a listener for messages holds the process again.
		this.#port.unref();
		this.#worker.unref();
	}

	/**
	 * @param {string} op
	 * @param {string} json
	 * @returns {Promise<{envelope: string, ok: boolean}>}
	 */
	send(op, json) {
		if (this.#ended) return Promise.resolve({ envelope: errEnvelope(notOpen(this.#prefix)), ok: false });
		return new Promise((resolve) => {
			const id = ++this.#lastId;
			this.#pending.set(id, resolve);
			this.#port.postMessage({ id, op, json });
		});
	}

	/**
	 * A plugin that does not even take notice is stuck in synchronous code, and would block every later call as well.
	 *
	 * @param {string} json
	 */
	async cancel(json) {
		const { unresponsiveMs } = this.#surroundings;
		const timer = setTimeout(() => {
			this.#log(`stopped: its code blocked the thread for ${unresponsiveMs} ms after a call was cancelled`);
			void this.stop(this.#failure(`The plugin "${this.#prefix}" was stopped because its code no longer reacts`));
		}, unresponsiveMs).unref();
		await this.send("cancel", json);
		clearTimeout(timer);
	}

	/** @param {Error} [reason] what the ops that still wait are told */
	async stop(reason = new AgentToolsError("CLOSED", `The plugin "${this.#prefix}" has been closed`)) {
		if (this.#ended) return;
		const terminated = this.#terminate();
		this.#end(reason);
		/** @type {NodeJS.Timeout | undefined} */
		let timer;
		const late = new Promise((resolve) => {
			timer = setTimeout(resolve, TERMINATE_MS);
		});
		await Promise.race([terminated, late]);
		clearTimeout(timer);
		this.#kill(this.#children.recorded());
	}

	/** Synchronous, for an `exit` hook. */
	stopNow() {
		if (this.#ended) return;
		void this.#terminate();
		this.#end(new AgentToolsError("CLOSED", `The plugin "${this.#prefix}" has been closed`));
	}

	#terminate() {
		this.#children.markClosing();
		const running = this.#children.running();
		const terminated = this.#worker.terminate();
		this.#kill(running);
		return terminated;
	}

	/** @param {Error} reason */
	#end(reason) {
		if (this.#ended) return;
		this.#ended = true;
		this.#kill(this.#children.recorded());
		const envelope = errEnvelope(reason);
		for (const resolve of this.#pending.values()) resolve({ envelope, ok: false });
		this.#pending.clear();
	}

	/** @param {number[]} pids */
	#kill(pids) {
		for (const pid of pids) {
			this.#children.remove(pid);
			try {
				this.#surroundings.killTree(pid);
				this.#surroundings.forgetGroup(pid);
			} catch (error) {
				this.#log(`process ${pid} could not be killed: ${error instanceof Error ? error.message : error}`);
			}
		}
	}

	/** @param {Message} message */
	#receive(message) {
		try {
			this.#take(message);
		} catch (error) {
			// Thrown from here it would end the host.
			this.#log(`a message was lost: ${reasonOf(error)}`);
		}
	}

	/** @param {Message} message */
	#take(message) {
		if ("output" in message) {
			this.#output[message.output].push(message.text);
		} else if ("progress" in message) {
			this.#surroundings.onProgress(this.#prefix, message.callId, message.progress);
		} else if ("child" in message) {
			this.#surroundings[message.running ? "watchGroup" : "forgetGroup"](message.child);
		} else if ("skillCall" in message) {
			void this.#callCore(message);
		} else {
			this.#pending.get(message.id)?.(message);
			this.#pending.delete(message.id);
		}
	}

	/** @param {SkillCall} message */
	async #callCore({ skillCall, callId, tool, argumentsJson }) {
		try {
			const json = await this.#surroundings.onSkillCall(callId, tool, argumentsJson);
			this.#port.postMessage({ skillCall, json });
		} catch (error) {
			const { message, code, hint } = AgentToolsError.from(error);
			this.#port.postMessage({ skillCall, error: { message, code, hint } });
		}
	}

	/** @param {unknown} thrown anything at all; of an error, any field may have been replaced by any value */
	#onError(thrown) {
		this.#thrown = reasonOf(thrown);
		const stack = thrown instanceof Error && typeof thrown.stack === "string" ? thrown.stack : this.#thrown;
		for (const line of stack.split("\n")) this.#log(line);
	}

	/** @param {number} exitCode */
	#onExit(exitCode) {
		// The thread may have said something more right before its end.
		for (let last = receiveMessageOnPort(this.#port); last; last = receiveMessageOnPort(this.#port)) {
			this.#receive(last.message);
		}
		this.#port.close();
		this.#output.stdout.end();
		this.#output.stderr.end();
		const how =
			this.#thrown !== undefined ? `crashed: ${this.#thrown}` : `ended its own thread with exit code ${exitCode}`;
		this.#end(this.#failure(`The plugin "${this.#prefix}" ${how}`));
	}

	/** @param {string} message */
	#failure(message) {
		return new AgentToolsError("PLUGIN_CRASHED", message, {
			hint: "It is started anew on its next use. What it was doing may or may not have been done; check before you repeat it.",
		});
	}

	/** @param {string} line */
	#log(line) {
		this.#surroundings.log(`[plugin ${this.#prefix}] ${line}`);
	}
}

/** @param {string} prefix */
export function notOpen(prefix) {
	return new AgentToolsError("PLUGIN_NOT_OPEN", `The plugin "${prefix}" is not open`, {
		hint: "It is started anew on its next use.",
	});
}
