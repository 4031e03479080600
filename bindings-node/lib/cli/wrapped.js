import { stripVTControlCharacters } from "node:util";

/** What a terminal has that does not say how wide it is. */
const WIDTH = 80;

/** A command that is to be typed, `what is quoted`, or a word, with the blanks behind: whoever copies it needs it whole. */
const PIECES = /(?:(?<=: )(?:agent-tools|npx @rckflr\/agent-tools-runtime) .*?(?:[;.](?=\s|$)|$)|`[^`]*`\S*|\S+)\s*/g;

/**
 * Sentences, broken between words where a terminal shows them. A line that is indented was laid out, and stays as it is; so
 * does what is piped, as programs read whole lines.
 *
 * @param {string} text
 * @param {{stream?: {isTTY?: boolean, columns?: number}, indent?: number, hang?: number}} [how] `hang`: how much further in the
 *   lines stand with which one goes on
 */
export function wrapped(text, { stream = process.stdout, indent = 0, hang = 0 } = {}) {
	const width = stream.isTTY ? (stream.columns || WIDTH) - indent : Number.POSITIVE_INFINITY;
	return text
		.split("\n")
		.flatMap((line) => (/^\s/.test(line) ? [line] : linesOf(line, width, hang)))
		.map((line) => `${" ".repeat(line === "" ? 0 : indent)}${line}`)
		.join("\n");
}

/**
 * @param {string} line
 * @param {number} width
 * @param {number} hang
 */
function linesOf(line, width, hang) {
	if (lengthOf(line) <= width) return [line];
	/** @type {string[]} */
	const lines = [];
	for (const piece of line.match(PIECES) ?? []) {
		const last = lines.at(-1);
		if (last !== undefined && lengthOf(last + piece.trimEnd()) <= width) lines[lines.length - 1] = last + piece;
		else lines.push(lines.length === 0 ? piece : " ".repeat(hang) + piece);
	}
	return lines.map((one) => one.trimEnd());
}

/** @param {string} text */
function lengthOf(text) {
	return stripVTControlCharacters(text).length;
}
