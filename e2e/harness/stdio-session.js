import { spawn } from "node:child_process";
import { once } from "node:events";
import { eachLine } from "./lines.js";
import { INITIALIZED, initialize, request } from "./protocol.js";

/** An MCP client of a child process that speaks over stdin and stdout. */
export class StdioSession {
	#waiting = new Map();
	#nextId = 0;
	#stderr = "";
	/** What the server sent that answers nothing. @type {{method: string, params?: any}[]} */
	notifications = [];
	/** @type {Error | undefined} */
	#end;

	/**
	 * @param {"legacy" | "modern"} generation
	 * @param {string} command
	 * @param {string[]} args
	 * @param {import("node:child_process").SpawnOptions} [options]
	 */
	constructor(generation, command, args, options = {}) {
		this.generation = generation;
		this.child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
		this.ended = once(this.child, "exit").then(([code, signal]) => {
			this.#end = new Error(`the server ended (code ${code}, signal ${signal}):\n${this.#stderr}`);
			for (const { reject } of this.#waiting.values()) reject(this.#end);
			return { code, signal };
		});
		this.child.stderr.on("data", (chunk) => {
			this.#stderr += chunk;
		});
		// The server may end before it has read everything.
		this.child.stdin.on("error", () => {});
		eachLine(this.child.stdout, (line) => this.#receive(line));
	}

	get stderr() {
		return this.#stderr;
	}

	/** The handshake, where the generation has one. */
	async open() {
		if (this.generation === "modern") return;
		await this.#exchange(initialize());
		this.#write(INITIALIZED);
	}

	/**
	 * @param {string} method
	 * @param {Record<string, unknown>} [params]
	 * @returns {Promise<{result?: any, error?: any}>} the JSON-RPC reply
	 */
	request(method, params) {
		return this.#exchange(request(this.generation, this.#nextId++, method, params));
	}

	/**
	 * A request whose answer comes much later, or never.
	 *
	 * @param {string} method
	 * @param {Record<string, unknown>} [params]
	 */
	begin(method, params) {
		const id = this.#nextId++;
		this.#write(request(this.generation, id, method, params));
		return id;
	}

	/**
	 * @param {{id: string | number}} message
	 * @returns {Promise<{result?: any, error?: any}>}
	 */
	#exchange(message) {
		return new Promise((resolve, reject) => {
			if (this.#end) reject(this.#end);
			this.#waiting.set(message.id, { resolve, reject });
			this.#write(message);
		});
	}

	/** @param {unknown} message */
	#write(message) {
		this.child.stdin.write(`${JSON.stringify(message)}\n`);
	}

	/** @param {string} line */
	#receive(line) {
		const message = JSON.parse(line);
		if (message.method) this.notifications.push(message);
		this.#waiting.get(message.id)?.resolve(message);
		this.#waiting.delete(message.id);
	}
}
