import { calledAs } from "../called-as.js";
import { painted } from "../edit/diff.js";
import { print, printWarnings, say, sayAs } from "../report.js";

/**
 * @typedef {object} Outcome
 * @property {string} name
 * @property {string} prefix
 * @property {string} section
 * @property {string} file
 * @property {string} scope `user`, `project`, or `named` for a file that was named
 * @property {"added" | "replaced" | "same"} state
 * @property {string} diff
 * @property {string} flag what says to other commands which file is meant
 */

const SAID = { added: "written to", replaced: "replaced in", same: "there already, in" };

/**
 * What is in the file now, before anything starts: whoever ends the check by Ctrl-C has seen it.
 *
 * @param {import("../command-line.js").CommandOptions} options
 * @param {Outcome} outcome
 */
export async function reportWritten({ json }, { name, file, state, diff }) {
	if (json) return;
	if (state !== "same") await print(painted(diff));
	say(`${name} is ${SAID[state]} ${file}`);
}

/**
 * @param {import("../command-line.js").CommandOptions} options
 * @param {Outcome} outcome
 * @param {import("./check.js").Checked | undefined} checked undefined where that was not asked for
 */
export async function reportAdded({ json, url, oauth, "bearer-env": bearer }, { flag, ...outcome }, checked) {
	const { name } = outcome;
	if (json) await print(`${JSON.stringify({ ...outcome, check: checked ?? null }, null, 2)}\n`);
	if (!checked) return;
	if (!checked.works) process.exitCode = 1;
	if (json) return;
	printWarnings(checked.warnings);
	if (checked.works) return say(`It works: ${offers(checked)}`);
	sayAs("error", `${name} does not work yet: ${checked.reason}`);
	sayAs("hint", whatNow());

	function whatNow() {
		if (checked?.command) return `${checked.command}\nTo take ${name} out again: ${calledAs()} remove ${name}${flag}`;
		const login =
			url && !oauth && !bearer && /credentials/.test(checked?.reason ?? "")
				? " (for a login in the browser with --oauth, for a token with --bearer-env NAME)"
				: "";
		return [
			`The entry stays, so that this can be mended: \`${calledAs()} list\` says whether it works.`,
			`To change it: the same with --replace${login}. To take it out: ${calledAs()} remove ${name}${flag}`,
		].join("\n");
	}
}

/** @param {import("./check.js").Checked} checked */
function offers({ tools = 0, skills = 0 }) {
	const counted = [[tools, "tool"], ...(skills > 0 ? [[skills, "skill"]] : [])];
	return counted.map(([number, what]) => `${number} ${what}${number === 1 ? "" : "s"}`).join(", ");
}
