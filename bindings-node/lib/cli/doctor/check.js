import { UsageError } from "../usage-error.js";

/**
 * @typedef {"ok" | "warning" | "error"} Level
 *
 * @typedef {object} Check one line of the report
 * @property {string} id what was looked at, in words that do not change: `node.version`
 * @property {string} group the heading it stands under
 * @property {Level} level
 * @property {string} message
 * @property {string} [fix] what mends it: a command wherever there is one
 */

/**
 * The checks of one group.
 *
 * @param {string} group
 */
export function checksOf(group) {
	/** @param {Level} level */
	const at =
		(level) =>
		/**
		 * @param {string} id
		 * @param {string} message
		 * @param {string} [fix]
		 * @returns {Check}
		 */
		(id, message, fix) => ({ id, group, level, message: sentence(message), ...(fix && { fix }) });
	return { ok: at("ok"), warning: at("warning"), error: at("error") };
}

/**
 * What a check did not expect is a line of its group, and keeps no other group from its turn.
 *
 * @param {string} group
 * @param {() => Check[] | Promise<Check[]>} look
 * @returns {Promise<Check[]>}
 */
export async function looked(group, look) {
	try {
		return await look();
	} catch (thrown) {
		if (thrown instanceof UsageError) throw thrown;
		const why = thrown instanceof Error ? thrown.message : String(thrown);
		const id = `${group.toLowerCase().replaceAll(" ", "-")}.unexpected`;
		return [checksOf(group).error(id, `this could not be looked at: ${why}`)];
	}
}

/**
 * One line without its end, whoever wrote it.
 *
 * @param {string} text
 */
function sentence(text) {
	return text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
}
