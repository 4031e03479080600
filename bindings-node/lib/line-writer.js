/** A line without an end must not be held in memory for ever. */
const LONGEST = 16 * 1024;

/** Cuts a stream of text into lines. */
export class LineWriter {
	#rest = "";
	#write;

	/** @param {(line: string) => void} write */
	constructor(write) {
		this.#write = write;
	}

	/** @param {string} text */
	push(text) {
		const lines = (this.#rest + text).split(/\r?\n/);
		this.#rest = lines.pop() ?? "";
		for (const line of lines) this.#write(line);
		if (this.#rest.length > LONGEST) this.end();
	}

	end() {
		if (this.#rest) this.#write(this.#rest);
		this.#rest = "";
	}
}
