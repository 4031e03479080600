// As a whole: the first releases of Node 20 have no `styleText`, and to import its name would stop them.
import * as util from "node:util";

/**
 * In colour where a person looks who wants it: NO_COLOR, FORCE_COLOR (https://no-color.org, https://force-color.org).
 *
 * @param {Parameters<typeof util.styleText>[0]} style
 * @param {string} text
 * @param {{isTTY?: boolean}} [stream]
 */
export function paint(style, text, stream = process.stdout) {
	return inColour(stream) && util.styleText ? util.styleText(style, text, { validateStream: false }) : text;
}

/** @param {{isTTY?: boolean}} stream */
export function inColour(stream) {
	const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
	if (NO_COLOR) return false;
	if (FORCE_COLOR) return FORCE_COLOR !== "0";
	return stream.isTTY === true && TERM !== "dumb";
}
