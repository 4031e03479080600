import { createTwoFilesPatch } from "diff";
import { native } from "../../native.js";
import { paint } from "../colour.js";

const CONTEXT = 3;
/** How the difference names a file that is not there. */
const NONE = "/dev/null";

/**
 * Without secrets: what stands beside our lines is the user's. Where the addon that knows them does not load, our lines stand alone.
 *
 * @param {string} file
 * @param {string | undefined} before
 * @param {string | undefined} after
 */
export function diffOf(file, before, after) {
	const [from = NONE, to = NONE] = [before, after].map((text) => (text === undefined ? undefined : file));
	const patch = (/** @type {number} */ context) =>
		createTwoFilesPatch(from, to, lines(before), lines(after), "", "", { context })
			// What goes before the names is for texts with several files.
			.replace(/^(Index: .*\n)?=+\n/, "");
	try {
		return native().scrub(patch(CONTEXT));
	} catch {
		return patch(0);
	}
}

/** @param {string} [text] */
function lines(text = "") {
	return text.replaceAll("\r\n", "\n");
}

/** @param {string} diff */
export function painted(diff) {
	return diff.replace(/^([+-])(?!\1\1 ).*$/gm, (line, sign) => paint(sign === "+" ? "green" : "red", line));
}
