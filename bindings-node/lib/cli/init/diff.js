import { createTwoFilesPatch } from "diff";
import { native } from "../../native.js";
import { paint } from "../terminal.js";

const CONTEXT = 3;
/** How the difference names a file that is not there. */
const NONE = "/dev/null";

/**
 * Without secrets: what stands beside our lines is the user's.
 *
 * @param {string} file
 * @param {string | undefined} before
 * @param {string | undefined} after
 */
export function diffOf(file, before, after) {
	const [from, to] = [before, after].map((text) => (text === undefined ? NONE : file));
	const patch = createTwoFilesPatch(String(from), String(to), lines(before), lines(after), "", "", {
		context: CONTEXT,
	});
	// What goes before the names is for texts with several files.
	return native().scrub(patch.replace(/^(Index: .*\n)?=+\n/, ""));
}

/** @param {string} [text] */
function lines(text = "") {
	return text.replaceAll("\r\n", "\n");
}

/** @param {string} diff */
export function painted(diff) {
	return diff.replace(/^([+-])(?!\1\1 ).*$/gm, (line, sign) => paint(sign === "+" ? "green" : "red", line));
}
