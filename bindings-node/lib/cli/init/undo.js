import { AgentToolsError } from "../../agent-tools-error.js";
import { isThere, revert } from "../edit/edit.js";
import { exists, readText, removeText, writeText } from "../edit/file.js";
import { run } from "./carry-out.js";
import { forget, hashOf } from "./record.js";

/**
 * @typedef {import("./record.js").Written} Written
 *
 * @typedef {object} Undoing
 * @property {Written} record
 * @property {import("../edit/file.js").TextFile} was
 * @property {string | undefined} text what the file shall be; undefined where it goes
 * @property {boolean} gone nothing of what was written is there any more
 */

/** @param {Written} record @returns {Undoing} */
export function planUndo(record) {
	const { file, edit, after, before, whole } = record;
	const was = readText(file);
	if (was.text === undefined) return { record, was, text: undefined, gone: true };
	if (whole && hashOf(was.text) === after) return { record, was, text: before, gone: false };
	if (edit && !isThere(file, was.text, edit)) return { record, was, text: was.text, gone: true };
	const text = edit && revert(file, was.text, edit, record);
	if (text === undefined) {
		throw new AgentToolsError("FILE_CHANGED", `${file} does not hold what init wrote any more`, {
			hint: "Nothing was changed, as it may be yours now. Take it out yourself.",
		});
	}
	return { record, was, text, gone: false };
}

/**
 * @param {Undoing} undoing
 * @param {import("./place.js").Place} place
 */
export async function carryOutUndo({ record, was, text, gone }, place) {
	const { undo } = record;
	if (undo?.[0] && !gone && exists(undo[0])) await run(undo, place);
	else if (!gone && text === undefined) await removeText(was);
	else if (!gone) await writeText(was, String(text));
	forget(place, record);
}
