// JSON as it crosses the border to the core, which holds numbers and strings that JavaScript has no equal of, and the
// other way round.

import { AgentToolsError } from "./agent-tools-error.js";

/** Of a pair of escaped surrogates, of half a pair, or of a backslash that is itself escaped. */
const ESCAPES = /\\(?:\\|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|ud[89a-f][0-9a-f]{2})/gi;
const HALF_PAIR = 6;

/** A string, which is passed over, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONG_INTEGER = /^-?\d{16,}$/;

/**
 * `JSON.stringify` whose text is UTF-8 whatever the strings and keys hold: half of a surrogate pair, as `slice` leaves
 * it of an emoji, becomes U+FFFD. The core would refuse the whole text for it. What JSON leaves out, as a function, is null.
 *
 * @param {unknown} value
 */
export function jsonText(value) {
	const text = JSON.stringify(value) ?? "null";
	if (!text.includes("\\u")) return text;
	return text.replace(ESCAPES, (found) => (found.length === HALF_PAIR ? "\ufffd" : found));
}

/**
 * `JSON.parse` that refuses an integer which a JavaScript number cannot hold: an id that is one off names something else.
 *
 * @param {string} json
 * @returns {any}
 */
export function parseExactly(json) {
	const inexact = /\d{16}/.test(json) ? firstInexact(json) : undefined;
	if (inexact === undefined) return JSON.parse(json);
	throw new AgentToolsError(
		"ARG_VALIDATION_FAILED",
		`The number ${inexact} cannot be given to a JavaScript plugin unchanged; it would arrive as ${BigInt(Number(inexact))}`,
		{ hint: "Nothing was sent. Pass it as a string, if the tool takes one." },
	);
}

/** @param {string} json */
function firstInexact(json) {
	for (const [token] of json.matchAll(TOKENS)) {
		if (LONG_INTEGER.test(token) && BigInt(token) !== BigInt(Number(token))) return token;
	}
	return undefined;
}
