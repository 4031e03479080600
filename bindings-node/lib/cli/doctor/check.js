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
 * One line without its end, whoever wrote it.
 *
 * @param {string} text
 */
function sentence(text) {
	return text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
}
