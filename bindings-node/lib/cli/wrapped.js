import { stripVTControlCharacters } from "node:util";

/** What a terminal has that does not say how wide it is. */
const WIDTH = 80;

/** A command that is to be typed, `what is quoted`, or a word: whoever copies it needs it whole. */
const PIECES = /(?<=: )agent-tools .*?(?:[;.](?=\s|$)|$)|`[^`]*`\S*|\S+/g;

/**
 * Sentences, broken between words where a terminal shows them. A line that is indented was laid out, and stays as it is; so
 * does what is piped, as programs read whole lines.
 *
 * @param {string} text
 * @param {{stream?: {isTTY?: boolean, columns?: number}, hang?: number}} [how] `hang`: how far the lines that go on stand in
 */
export function wrapped(text, { stream = process.stdout, hang = 0 } = {}) {
	if (!stream.isTTY) return text;
	const width = stream.columns || WIDTH;
	return text
		.split("\n")
		.map((line) => (/^\s/.test(line) ? line : linesOf(line, width, hang).join(`\n${" ".repeat(hang)}`)))
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
		const room = width - (lines.length > 1 ? hang : 0);
		if (last === undefined || lengthOf(last) + 1 + lengthOf(piece) > room) lines.push(piece);
		else lines[lines.length - 1] = `${last} ${piece}`;
	}
	return lines;
}

/** @param {string} text */
function lengthOf(text) {
	return stripVTControlCharacters(text).length;
}
