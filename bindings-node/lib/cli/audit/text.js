import { wrapped } from "../wrapped.js";
import { lineText, plain } from "./lines.js";

/**
 * @typedef {{what: string, about: string, file?: string, line?: number, seq?: number}} Broken
 *
 * @typedef {object} Verdict
 * @property {boolean} ok
 * @property {string} folder
 * @property {number} files
 * @property {number} lines
 * @property {number} repairs
 * @property {number} lost
 * @property {{seq: number, hash: string}} [head]
 * @property {boolean} [anchored]
 * @property {Broken} [broken]
 *
 * @typedef {{plugin: string, tool: string, outcome: string, calls: number, p50: number | null, p95: number | null}} Group
 */

/** @param {Verdict} verdict */
export function verdictText(verdict) {
	const { ok, folder, files, lines, repairs, lost, head, anchored, broken } = verdict;
	const text = [
		broken
			? `NOT WHOLE: ${brokenText(broken)}`
			: `whole: ${counted(lines, "line")} in ${counted(files, "file")}, in ${folder}`,
		...(anchored === undefined
			? []
			: [
					anchored ? "It goes on from the head that was given." : "NOT THIS LOG: the head that was given is not in it.",
				]),
		...(repairs > 0
			? [`Of something that was put right, such as a crash: ${counted(repairs, "line")}; see \`agent-tools audit\``]
			: []),
		...(lost > 0 ? [`${counted(lost, "line")} could not be written`] : []),
		...(head && ok ? [`head: ${head.hash} (line ${head.seq})`] : []),
		"",
	].join("\n");
	return wrapped(text, { hang: 2 });
}

/**
 * @param {number} number
 * @param {string} what
 */
function counted(number, what) {
	return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** @param {Broken} broken */
function brokenText({ what, about, file, line, seq }) {
	const place = [file && `${file}, line ${line}`, seq !== undefined && `number ${seq}`].filter(Boolean).join(", ");
	return `${what}${place && ` at ${place}`}: ${about}`;
}

/**
 * @param {string} id
 * @param {{found: boolean, intact: boolean, lines: import("./lines.js").Line[], broken?: Broken}} answer
 * @param {import("./lines.js").Look} look
 */
export function receiptText(id, { found, intact, lines, broken }, look) {
	if (!found) return wrapped(`not found: no call of the log has the receipt ${plain(id)}\n`);
	const verdict = intact
		? "found, and the log is whole\n"
		: `found, but the log is NOT WHOLE${broken ? `: ${brokenText(broken)}` : ""}\n`;
	return `${wrapped(verdict, { hang: 2 })}${lines.map((line) => lineText(line, look)).join("")}`;
}

/** @param {{calls: number, since: string | null, groups: Group[]}} counted */
export function statisticsText({ calls, since, groups }) {
	if (calls === 0) return "no such call is recorded\n";
	const rows = groups.map((group) => [
		String(group.calls),
		group.outcome,
		String(group.p50 ?? "-"),
		String(group.p95 ?? "-"),
		plain(`${group.plugin} ${group.tool}`.trim()).slice(0, 45),
	]);
	const all = [["CALLS", "OUTCOME", "P50 MS", "P95 MS", "CALL"], ...rows];
	const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
	const text = all.map((cells) =>
		cells.map((cell, i) => (i === 1 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
	);
	return `${calls} calls since ${since}\n${text.join("\n")}\n`;
}
