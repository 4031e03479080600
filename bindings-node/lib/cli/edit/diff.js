import { formatPatch, structuredPatch } from "diff";
import { native } from "../../native.js";
import { paint } from "../colour.js";
import { withoutSecrets } from "./without-secrets.js";

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
	const [old, now] = [lines(before), lines(after)];
	const [shownOld = [], shownNow = []] = [old, now].map((text) => withoutSecrets(file, text).split("\n"));
	const patch = (/** @type {number} */ context) => {
		const whole = structuredPatch(from, to, old, now, "", "", { context });
		for (const hunk of whole.hunks) {
			let [oldAt, newAt] = [hunk.oldStart - 1, hunk.newStart - 1];
			// What has changed is still shown as changed, though both are left out.
			hunk.lines = hunk.lines.map((line) => {
				if (line.startsWith("\\")) return line;
				if (line.startsWith("-")) return `-${shownOld[oldAt++]}`;
				if (line.startsWith(" ")) oldAt++;
				return `${line[0]}${shownNow[newAt++]}`;
			});
		}
		// What goes before the names is for texts with several files.
		return formatPatch(whole).replace(/^(Index: .*\n)?=+\n/, "");
	};
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
