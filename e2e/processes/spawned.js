import { spawn } from "node:child_process";
import { once } from "node:events";
import { ProcessWatch } from "./process-watch.js";

const OUTPUT_CHARS = 3000;

/** A process under test. Whatever the test's outcome, nothing of it is left when the test is over. */
export class Spawned {
	stdout = "";
	stderr = "";
	#child;
	#startedAt = Date.now();
	/** @type {Set<() => void>} */
	#waiting = new Set();

	/**
	 * @param {import("node:test").TestContext} t
	 * @param {string} command
	 * @param {string[]} args
	 * @param {{cwd: string, env: NodeJS.ProcessEnv, input?: "open"}} options `input: "open"` keeps stdin writable
	 */
	constructor(t, command, args, { cwd, env, input }) {
		// Detached, it leads a session, by which its descendants are known.
		this.#child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
		if (input !== "open") this.#child.stdin.end();
		this.#child.stdin.on("error", () => {}); // it may end before it has read everything
		this.#child.stdout.setEncoding("utf8").on("data", (text) => this.#received("stdout", text));
		this.#child.stderr.setEncoding("utf8").on("data", (text) => this.#received("stderr", text));
		/** @type {Promise<{code: number | null, signal: NodeJS.Signals | null, ms: number}>} */
		this.exit = once(this.#child, "exit").then(([code, signal]) => ({
			code,
			signal,
			ms: Date.now() - this.#startedAt,
		}));
		this.exit.then(() => this.#wake());
		this.watch = new ProcessWatch(this.pid);
		t.after(() => this.watch.killAll());
	}

	get pid() {
		return /** @type {number} */ (this.#child.pid);
	}

	/** @param {string} text */
	write(text) {
		this.#child.stdin.write(text);
	}

	endInput() {
		this.#child.stdin.end();
	}

	/** @param {NodeJS.Signals} signal */
	kill(signal) {
		this.#child.kill(signal);
	}

	/**
	 * Waits until `find` finds something, and returns it.
	 *
	 * @template T
	 * @param {string} what
	 * @param {() => T | undefined | false | Promise<T | undefined | false>} find
	 * @param {number} [ms]
	 * @returns {Promise<T>}
	 */
	async until(what, find, ms = 30_000) {
		for (const deadline = Date.now() + ms; ; ) {
			const found = await find();
			if (found) return found;
			if (this.#child.exitCode !== null || this.#child.signalCode !== null)
				throw new Error(`the process ended before ${what}\n${this.output}`);
			if (Date.now() > deadline) throw new Error(`no ${what} within ${ms} ms\n${this.output}`);
			await this.#news();
		}
	}

	/** The exit, or a failure that shows the output if it does not come. */
	async exitWithin(ms = 60_000) {
		let timer;
		const late = new Promise((_, reject) => {
			timer = setTimeout(() => reject(new Error(`still running after ${ms} ms\n${this.output}`)), ms);
		});
		try {
			return /** @type {Awaited<typeof this.exit>} */ (await Promise.race([this.exit, late]));
		} finally {
			clearTimeout(timer);
		}
	}

	/** The end of what it wrote, for the message of a failed assertion. */
	get output() {
		return `--- stdout\n${this.stdout.slice(-OUTPUT_CHARS)}\n--- stderr\n${this.stderr.slice(-OUTPUT_CHARS)}`;
	}

	/** Output, the exit, or a moment, whichever is first. */
	#news() {
		return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
			const timer = setTimeout(() => done(), 100);
			const done = () => {
				clearTimeout(timer);
				this.#waiting.delete(done);
				resolve();
			};
			this.#waiting.add(done);
		});
	}

	#wake() {
		for (const done of this.#waiting) done();
	}

	/**
	 * @param {"stdout" | "stderr"} stream
	 * @param {string} text
	 */
	#received(stream, text) {
		this[stream] += text;
		this.#wake();
	}
}
