/**
 * @typedef {object} SkillAnswer
 * @property {string} text what the skill gave
 * @property {string[]} notes
 * @property {{id: string}} [receipt]
 */

/**
 * What a skill gave, without what the runtime says beside it.
 *
 * @param {string} text of the reply
 * @returns {SkillAnswer}
 */
export function skillAnswer(text) {
	/** @type {Record<string, unknown>} */
	let payload;
	try {
		payload = JSON.parse(text);
	} catch {
		return { text, notes: [] };
	}
	const { isError: _isError, calls: _calls, notes = [], receipt, ...own } = payload;
	const keys = Object.keys(own);
	const value = keys.length === 1 && keys[0] === "result" ? own.result : own;
	return {
		text: typeof value === "string" ? value : JSON.stringify(value),
		notes: Array.isArray(notes) ? notes.map(String) : [],
		...(receipt ? { receipt: /** @type {{id: string}} */ (receipt) } : {}),
	};
}
