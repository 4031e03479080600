// What is on a terminal once a program has written to it: text with its colours, in lines. It knows what the commands of this
// repository write; with anything else it fails, so that no picture is wrong in silence.

/**
 * @typedef {{bold?: boolean, colour?: number}} Look `colour`: its number as SGR has it
 * @typedef {{text: string, look: Look}} Run letters in a row that look the same
 * @typedef {{letter: string, look: Look}} Cell
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const PARTS = /\u001b\[([\d;?]*)([A-Za-z])|[\r\n]|[^\r\n\u001b]/gu;
const BLANK = { letter: " ", look: {} };

export class Screen {
	/** @type {Cell[][]} */
	#lines = [[]];
	#column = 0;
	/** @type {Look} */
	#look = {};

	/** @param {string} written */
	static lines(written) {
		const screen = new Screen();
		for (const [part, numbers, action] of written.matchAll(PARTS)) {
			if (action) screen.#control(action, numbers ?? "");
			else screen.#write(part);
		}
		return screen.#lines.map(runsOf);
	}

	/** @param {string} letter */
	#write(letter) {
		if (letter === "\r") this.#column = 0;
		else if (letter === "\n") {
			this.#lines.push([]);
			this.#column = 0;
		} else {
			while (this.#line.length < this.#column) this.#line.push(BLANK);
			this.#line[this.#column++] = { letter, look: this.#look };
		}
	}

	/** All that is written here is in the last line. */
	get #line() {
		return /** @type {Cell[]} */ (this.#lines.at(-1));
	}

	/**
	 * @param {string} action
	 * @param {string} numbers
	 */
	#control(action, numbers) {
		const number = Number(numbers);
		if (action === "m") for (const one of numbers.split(";")) this.#look = changed(this.#look, Number(one));
		else if (action === "G") this.#column = Math.max(1, number) - 1;
		else if (action === "K" && number === 2) this.#line.length = 0;
		else if (/[JK]/.test(action) && number === 0) this.#line.splice(this.#column);
		else if (!/^\?\d+$/.test(numbers))
			throw new Error(`the terminal of the pictures does not know ESC [${numbers}${action}`);
	}
}

/**
 * @param {Look} look
 * @param {number} number
 * @returns {Look}
 */
function changed(look, number) {
	if (number === 0) return {};
	if (number === 1 || number === 22) return { ...look, bold: number === 1 };
	if (number === 39) return { ...look, colour: undefined };
	if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) return { ...look, colour: number };
	throw new Error(`the terminal of the pictures does not know the colour ${number}`);
}

/**
 * @param {Cell[]} cells
 * @returns {Run[]}
 */
function runsOf(cells) {
	/** @type {Run[]} */
	const runs = [];
	for (const { letter, look } of cells) {
		const last = runs.at(-1);
		if (last && last.look.bold === look.bold && last.look.colour === look.colour) last.text += letter;
		else runs.push({ text: letter, look });
	}
	return runs;
}
