import { UsageError } from "../usage-error.js";

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * What the options ask for, as the core takes it.
 *
 * @param {import("../command-line.js").CommandOptions} options
 */
export function filterOf({ plugin, tool, outcome, client, session, decision, since }) {
	return { plugin, tool, outcome, client, session, decision, since: since && timeOf(since) };
}

/**
 * `1h`, `30m`, `2d`, or a date.
 *
 * @param {string} text
 * @param {number} [now]
 */
export function timeOf(text, now = Date.now()) {
	const [, amount, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
	const time = amount ? now - Number(amount) * UNITS[/** @type {keyof typeof UNITS} */ (unit)] : Date.parse(text);
	const date = new Date(time);
	if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 0) {
		throw new UsageError(`--since takes \`1h\`, \`30m\`, \`2d\` or a date such as \`2026-01-31\`, not \`${text}\``);
	}
	return date.toISOString();
}
