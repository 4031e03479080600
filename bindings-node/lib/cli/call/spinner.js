import { plainText } from "../plain-text.js";

/** @typedef {import("../../../index.d.ts").Progress} Progress */

/** Nothing is drawn for what is quick. */
const AFTER_MS = 1000;
const EVERY_MS = 120;
const FRAMES = ["|", "/", "-", "\\"];
const CLEAR = "\r\u001b[2K";

/** A line on the terminal that says that a call goes on, and how far it has come. Elsewhere it is silent. */
export class Spinner {
	#label;
	#stream;
	#drawn = 0;
	/** @type {NodeJS.Timeout | undefined} */
	#timer;
	/** @type {Progress | undefined} */
	#progress;

	/**
	 * @param {string} label
	 * @param {{isTTY?: boolean, columns?: number, write(text: string): unknown}} [stream]
	 */
	constructor(label, stream = process.stderr) {
		this.#label = label;
		this.#stream = stream;
		this.start();
	}

	start() {
		if (!this.#stream.isTTY || process.env.TERM === "dumb" || this.#timer) return;
		this.#timer = setTimeout(() => {
			this.#draw();
			this.#timer = setInterval(() => this.#draw(), EVERY_MS);
		}, AFTER_MS);
	}

	/** @param {Progress} progress */
	report(progress) {
		this.#progress = progress;
	}

	/** Leaves the line empty. */
	stop() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#drawn > 0) this.#stream.write(CLEAR);
		this.#drawn = 0;
	}

	#draw() {
		const text = `${FRAMES[this.#drawn++ % FRAMES.length]} ${progressText(this.#label, this.#progress)}`;
		this.#stream.write(CLEAR + text.slice(0, (this.#stream.columns ?? 80) - 1));
	}
}

/**
 * @param {string} label
 * @param {Progress} [progress]
 */
export function progressText(label, progress) {
	if (!progress) return label;
	const { progress: done, total, message } = progress;
	const share = total === undefined ? "" : `${done}/${total}`;
	return [label, share, plainText(message ?? "").replaceAll(/\s+/g, " ")].filter(Boolean).join("  ");
}
