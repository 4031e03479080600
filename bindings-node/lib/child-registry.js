import { readFileSync } from "node:fs";

const CAPACITY = 1024;
const CLOSING = 0;
const THREAD = 1;
const FIRST_PID = 2;

/**
 * The processes that a worker thread started, in memory that both threads see: the main thread can read it at any
 * moment, even when the worker no longer answers.
 */
export class ChildRegistry {
	#slots;

	/** @param {SharedArrayBuffer} [buffer] of the registry to join; else a new one */
	constructor(buffer = new SharedArrayBuffer((FIRST_PID + CAPACITY) * Int32Array.BYTES_PER_ELEMENT)) {
		this.buffer = buffer;
		this.#slots = new Int32Array(buffer);
	}

	/**
	 * @param {number} pid
	 * @returns {boolean} false when no slot is free
	 */
	add(pid) {
		for (let i = FIRST_PID; i < this.#slots.length; i++) {
			if (Atomics.compareExchange(this.#slots, i, 0, pid) === 0) return true;
		}
		return false;
	}

	/** @param {number} pid */
	remove(pid) {
		for (let i = FIRST_PID; i < this.#slots.length; i++) {
			if (Atomics.compareExchange(this.#slots, i, pid, 0) === pid) return;
		}
	}

	/** Set by the main thread before it stops the worker: what is spawned from now on is unwanted. */
	get closing() {
		return Atomics.load(this.#slots, CLOSING) === 1;
	}

	markClosing() {
		Atomics.store(this.#slots, CLOSING, 1);
	}

	/** @param {number} id the kernel's id of the worker's thread */
	setThread(id) {
		Atomics.store(this.#slots, THREAD, id);
	}

	/** Every recorded process. */
	recorded() {
		return [...this.#slots.subarray(FIRST_PID)].filter((pid) => pid !== 0);
	}

	/**
	 * The recorded processes, and those that the kernel knows to descend from the worker's thread: a thread that waits in
	 * `execSync` tells nobody which process it waits for. To be asked only while the thread lives.
	 */
	running() {
		return [...new Set([...this.recorded(), ...childrenOfThread(Atomics.load(this.#slots, THREAD))])];
	}
}

/** @param {number} id */
function childrenOfThread(id) {
	return id === 0 ? [] : descendants(`/proc/self/task/${id}`);
}

/**
 * @param {string} task
 * @returns {number[]}
 */
function descendants(task) {
	const children = childrenOf(task);
	return [...children, ...children.flatMap((pid) => descendants(`/proc/${pid}/task/${pid}`))];
}

/** @param {string} task */
function childrenOf(task) {
	try {
		return readFileSync(`${task}/children`, "utf8").split(" ").filter(Boolean).map(Number);
	} catch {
		return [];
	}
}
