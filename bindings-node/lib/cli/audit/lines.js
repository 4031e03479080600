/**
 * @typedef {object} Line a line of the log; those of other kinds than `call` and `sent` have fewer fields
 * @property {number} seq
 * @property {string} time
 * @property {string} kind
 * @property {string} [plugin]
 * @property {string} [tool]
 * @property {string} [skill]
 * @property {string} [asked]
 * @property {string} [outcome]
 * @property {string} [code]
 * @property {number} [ms]
 * @property {string} [receipt]
 * @property {string} [parent]
 * @property {string} [what]
 * @property {number} [lines]
 *
 * @typedef {{rich?: boolean}} Look `rich`: in colour
 */

/** Of 80 columns, two spaces between them; the name takes what the others leave. */
const WIDTHS = { time: 14, name: 24, outcome: 17, ms: 7, receipt: 12 };
const COLOURS = /** @type {Record<string, string>} */ ({ error: "33", failed: "31", refused: "33" });

/**
 * @param {Line[]} lines
 * @param {Look} [look]
 */
export function listText(lines, look) {
	const header = row(["TIME (UTC)", "CALL", "OUTCOME", "MS", "RECEIPT"]);
	return `${header}\n${lines.map((line) => lineText(line, look)).join("")}`;
}

/**
 * @param {Line} line
 * @param {Look} [look]
 */
export function lineText(line, { rich = false } = {}) {
	const time = line.time.slice(5, 19).replace("T", " ");
	if (line.kind !== "call" && line.kind !== "sent") return `${time}  (${remark(line)})\n`;
	const outcome = line.kind === "sent" ? "(sent)" : (line.code ?? line.outcome ?? "");
	const text = row([time, nameOf(line), outcome, String(line.ms ?? ""), line.receipt ?? ""]);
	const colour = rich ? COLOURS[line.outcome ?? ""] : undefined;
	return colour ? `\u001b[${colour}m${text}\u001b[39m\n` : `${text}\n`;
}

/** Names come from models and plugins: nothing in them may steer the terminal or turn the line around. @param {string} text */
export function plain(text) {
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, "?");
}

/**
 * What was called. Calls that a skill makes stand behind a dash.
 *
 * @param {Line} line
 */
function nameOf({ plugin, tool, skill, asked, parent }) {
	const name = tool ?? (skill === undefined ? undefined : `skill ${skill}`) ?? asked ?? "";
	const whole = plugin === undefined || (tool ?? skill) === undefined ? name : `${plugin} ${name}`;
	return parent ? `- ${whole}` : whole;
}

/** @param {Line} line */
function remark({ kind, what, lines }) {
	if (kind === "lost") return `${lines} lines could not be written before this`;
	if (kind === "rotated") return "a new file begins";
	return plain(what ? `${kind}: ${what}` : kind);
}

/** @param {string[]} cells */
function row([time = "", name = "", outcome = "", ms = "", receipt = ""]) {
	return [
		time.padEnd(WIDTHS.time),
		cut(plain(name), WIDTHS.name),
		cut(plain(outcome), WIDTHS.outcome),
		ms.padStart(WIDTHS.ms),
		plain(receipt),
	]
		.join(" ")
		.trimEnd();
}

/**
 * @param {string} text
 * @param {number} width
 */
function cut(text, width) {
	const letters = [...text];
	return letters.length > width
		? `${letters.slice(0, width - 2).join("")}..`
		: text + " ".repeat(width - letters.length);
}
