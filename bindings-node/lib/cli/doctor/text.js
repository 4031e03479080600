import { paint } from "../colour.js";
import { columns } from "../columns.js";

/**
 * @typedef {import("./check.js").Check} Check
 * @typedef {import("./check.js").Level} Level
 */

/** @type {Record<Level, Parameters<typeof paint>[0]>} */
const COLOURS = { ok: "green", warning: "yellow", error: "red" };

/**
 * What a person reads.
 *
 * @param {Check[]} checks
 */
export function reportText(checks) {
	const groups = [...new Set(checks.map(({ group }) => group))];
	const parts = groups.map((group) => {
		const rows = checks.filter((check) => check.group === group).flatMap(rowsOf);
		return `${paint("bold", group)}\n${columns(rows)}\n`;
	});
	return `${parts.join("\n")}\n${summary(checks)}\n`;
}

/**
 * @param {Check} check
 * @returns {string[][]}
 */
function rowsOf({ level, message, fix }) {
	const line = [paint(COLOURS[level], level), message];
	return fix ? [line, ["", `fix: ${paint("bold", fix)}`]] : [line];
}

/** @param {Check[]} checks */
function summary(checks) {
	/** @param {Level} level */
	const number = (level) => checks.filter((check) => check.level === level).length;
	/** @param {Level} level */
	const counted = (level) => {
		const text = `${number(level)} ${level}${level !== "ok" && number(level) !== 1 ? "s" : ""}`;
		return number(level) > 0 ? paint(COLOURS[level], text) : text;
	};
	return [counted("ok"), counted("warning"), counted("error")].join(", ");
}
