const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
const ERASE = "\r\u001b[2K";

/** Says on a terminal what is waited for, and leaves nothing behind. Elsewhere it is silent. */
export class Spinner {
	#text = "";
	#frame = 0;
	/** @type {NodeJS.Timeout | undefined} */
	#timer;

	/** @param {string} text */
	show(text) {
		this.#text = text;
		if (!process.stderr.isTTY || process.env.TERM === "dumb") return;
		this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
		this.#draw();
	}

	stop() {
		if (this.#timer === undefined) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
		process.stderr.write(ERASE);
	}

	#draw() {
		const frame = FRAMES[this.#frame++ % FRAMES.length];
		const room = (process.stderr.columns ?? 80) - 1;
		process.stderr.write(`${ERASE}${`${frame} ${this.#text}`.slice(0, room)}`);
	}
}
