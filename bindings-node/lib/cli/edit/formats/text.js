/** The file is not what its format allows; nothing is written into such a file. */
export class BrokenText extends Error {
	/**
	 * @param {string} reason
	 * @param {number} [line] from 1
	 * @param {number} [column] from 1
	 */
	constructor(reason, line, column) {
		super(reason);
		this.line = line;
		this.column = column;
	}

	/** Where it stands, as it is said. */
	get position() {
		return `line ${this.line}, column ${this.column}`;
	}
}

/** The file is right, and written in a way in which this cannot be put into it without touching the rest. */
export class UnsafeEdit extends Error {}

/** @param {string} text */
export function lineEndOf(text) {
	return text.includes("\r\n") ? "\r\n" : "\n";
}

/**
 * @param {string} text
 * @param {number} offset
 */
export function startOfLine(text, offset) {
	return text.lastIndexOf("\n", offset - 1) + 1;
}

/**
 * Behind the line's end, or the text's.
 *
 * @param {string} text
 * @param {number} offset
 */
export function nextLine(text, offset) {
	const end = text.indexOf("\n", offset);
	return end < 0 ? text.length : end + 1;
}

/**
 * @param {string} text
 * @param {number} offset
 */
export function indentAt(text, offset) {
	return /^[ \t]*/.exec(text.slice(startOfLine(text, offset)))?.[0] ?? "";
}

/**
 * @param {string} text
 * @param {number} offset
 */
export function placeAt(text, offset) {
	const before = text.slice(0, offset).split("\n");
	return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * @param {string} text
 * @param {number} offset
 * @param {string} reason
 */
export function brokenAt(text, offset, reason) {
	const { line, column } = placeAt(text, offset);
	return new BrokenText(reason, line, column);
}

/**
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {string} [by]
 */
export function splice(text, from, to, by = "") {
	return text.slice(0, from) + by + text.slice(to);
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isTable(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
