import { calledAs } from "../called-as.js";
import { wrapped } from "../wrapped.js";
import { explanationLines } from "./explanation.js";

/** A longer search is not repeated whole. */
const QUERY_CHARS = 60;

/**
 * @typedef {import("../../../index.d.ts").SearchResult} SearchResult
 * @typedef {import("../../../index.d.ts").SearchHit} SearchHit
 */

/**
 * What a search has found, as a table; with explanations, each stands below its hit.
 *
 * @param {SearchResult} found
 */
export function searchText({ query, fits, hits, nearest }) {
	const rows = aligned([["", "SCORE", "PLUGIN", "NAME", "KIND"], ...hits.map(cells)]);
	return [
		...(fits
			? []
			: [
					wrapped(
						`Nothing fits \`${shortened(query)}\`.${near(nearest)} Search in other words; \`${calledAs()} list\` shows what there is.`,
					),
				]),
		...(!fits && hits.length > 0 ? ["What came nearest, which a model is not shown:"] : []),
		...(hits.length > 0 ? rows.slice(0, 1) : []),
		...hits.flatMap(({ explanation }, i) => [
			rows[i + 1],
			...(explanation ? [...explanationLines(explanation).map(below), ""] : []),
		]),
		"",
	]
		.join("\n")
		.replace(/\n+$/, "\n");
}

/** A line of an explanation, below its hit. @param {string} line */
function below(line) {
	const text = line.trimStart();
	return wrapped(text, { indent: 6 + line.length - text.length, hang: 2 });
}

/**
 * @param {SearchHit} hit
 * @param {number} index
 */
function cells({ score, plugin, name, kind }, index) {
	return [`${index + 1}.`, score.toFixed(2), plugin, name, kind];
}

/**
 * Of a long search the beginning.
 *
 * @param {string} query
 */
function shortened(query) {
	const line = query.replace(/\s+/g, " ");
	return line.length > QUERY_CHARS ? `${line.slice(0, QUERY_CHARS - 1)}…` : line;
}

/** @param {string[]} nearest */
function near(nearest) {
	return nearest.length > 0 ? ` The nearest plugins: ${nearest.join(", ")}.` : "";
}

/**
 * Numbers to the right, names to the left.
 *
 * @param {string[][]} rows
 */
function aligned(rows) {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	return rows.map((row) =>
		row
			.map((cell, i) => (i < 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
			.join("  ")
			.trimEnd(),
	);
}
