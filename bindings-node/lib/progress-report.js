import { jsonText } from "./json-text.js";

/** @typedef {import("../index.d.ts").Progress} Progress */

/** What a report without a number adds to those that had one: as good as nothing, yet it grows. */
const SMALL_STEP = 1e-9;

/**
 * Makes a plugin's `progress` out of what takes its reports as JSON text. It never throws: a plugin's work must not fail
 * for want of a well-made report, and the host even less.
 *
 * @param {(progressJson: string) => void} report
 * @returns {(report?: unknown) => void}
 */
export function progressReporter(report) {
	let last = 0;
	let counted = false;

	return (given) => {
		try {
			const { progress, total, message } = fieldsOf(given);
			if (isNumber(progress)) {
				last = progress;
				counted = true;
			} else if (typeof message === "string") {
				// Whoever only tells what it does gets on as well; a report that does not grow counts for nothing.
				last += counted ? SMALL_STEP * Math.max(1, Math.abs(last)) : 1;
			} else {
				return;
			}
			const known = {
				progress: last,
				total: isNumber(total) ? total : undefined,
				message: typeof message === "string" ? message : undefined,
			};
			report(jsonText(known));
		} catch {
			// A getter that throws, or a core that is closed.
		}
	};
}

/**
 * A number alone and a text alone say what they mean.
 *
 * @param {unknown} given
 * @returns {{progress?: unknown, total?: unknown, message?: unknown}}
 */
function fieldsOf(given) {
	if (typeof given === "number") return { progress: given };
	if (typeof given === "string") return { message: given };
	return Object(given);
}

/**
 * @param {unknown} value
 * @returns {value is number}
 */
function isNumber(value) {
	return Number.isFinite(value);
}
