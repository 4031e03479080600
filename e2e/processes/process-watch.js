import { readdirSync, readFileSync } from "node:fs";

const SAMPLE_MS = 40;

/**
 * @typedef {object} ProcessInfo
 * @property {number} pid
 * @property {number} parent
 * @property {number} session
 * @property {string} key tells a process from a later one with the same pid
 * @property {string} command
 */

/**
 * Watches a process and everything that it starts, directly or not, so that a test can say what outlived it.
 *
 * A process that has lost its parent is still known: it was seen before as a descendant, or it is in the session that
 * the watched process leads.
 */
export class ProcessWatch {
	#root;
	/** @type {Set<string>} */
	#seen = new Set();
	#timer;

	/** @param {number} root the pid of a process that leads its session, as a detached child does */
	constructor(root) {
		this.#root = root;
		this.#sample();
		this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
		this.#timer.unref();
	}

	/** Every live process of the tree but the watched one itself. */
	descendants() {
		return this.#sample().filter(({ pid }) => pid !== this.#root);
	}

	/**
	 * What is still there of the whole tree, after it had `graceMs` to go.
	 *
	 * @param {number} [graceMs]
	 */
	async survivors(graceMs = 3000) {
		const deadline = Date.now() + graceMs;
		while (this.#sample().length > 0 && Date.now() < deadline)
			await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
		return this.#sample();
	}

	/** Ends whatever is left. */
	killAll() {
		clearInterval(this.#timer);
		for (const { pid } of this.#sample()) {
			try {
				process.kill(pid, "SIGKILL");
			} catch {
				// It ended by itself meanwhile.
			}
		}
	}

	#sample() {
		const all = liveProcesses();
		const family = new Set([this.#root]);
		let size = 0;
		while (size !== family.size) {
			size = family.size;
			for (const { pid, parent, session, key } of all)
				if (family.has(parent) || session === this.#root || this.#seen.has(key)) family.add(pid);
		}
		const members = all.filter(({ pid }) => family.has(pid));
		for (const { key } of members) this.#seen.add(key);
		return members;
	}
}

/** @returns {ProcessInfo[]} */
export function liveProcesses() {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => processInfo(Number(name)));
}

/** @param {number} pid */
function processInfo(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		// The command's name stands in brackets and may hold anything.
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const [state, parent, , session] = fields;
		if (state === "Z" || state === "X") return [];
		const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
		return [{ pid, parent: Number(parent), session: Number(session), key: `${pid}@${fields[19]}`, command }];
	} catch {
		return []; // it ended while it was read
	}
}
