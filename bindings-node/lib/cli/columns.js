import { stripVTControlCharacters } from "node:util";
import cliui from "cliui";

/** What a terminal has that does not say how wide it is. */
const WIDTH = 80;
/** The least that the last column takes, however narrow the terminal is. */
const NARROWEST = 20;
const GAP = 2;

/**
 * Rows as columns, indented. On a terminal the last column takes what is left of the line, and goes on below itself; what is
 * piped is not broken, as programs read whole lines.
 *
 * @param {string[][]} rows
 * @param {{indent?: number, stream?: {isTTY?: boolean, columns?: number}}} [how]
 */
export function columns(rows, { indent = 2, stream = process.stdout } = {}) {
	const last = Math.max(0, ...rows.map((row) => row.length - 1));
	const widths = Array.from({ length: last + 1 }, (_, i) => Math.max(...rows.map((row) => lengthOf(row[i]))));
	const before = indent + widths.slice(0, last).reduce((sum, width) => sum + width + GAP, 0);
	const room = stream.isTTY ? Math.max(NARROWEST, (stream.columns ?? WIDTH) - before) : (widths[last] ?? 0) + 1;
	const ui = cliui({ width: before + room, wrap: true });
	for (const row of rows) {
		ui.div(
			...widths.map((width, i) => {
				const [left, right] = [i === 0 ? indent : 0, i === last ? 0 : GAP];
				return {
					text: row[i] ?? "",
					width: left + (i === last ? room : width) + right,
					padding: /** @type {[number, number, number, number]} */ ([0, right, 0, left]),
				};
			}),
		);
	}
	return ui.toString();
}

/** @param {string} [text] */
function lengthOf(text = "") {
	return Math.max(
		...stripVTControlCharacters(text)
			.split("\n")
			.map((line) => line.length),
	);
}
