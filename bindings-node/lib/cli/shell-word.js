/**
 * A text as a shell takes it for one word.
 *
 * @param {string} text
 */
export function shellWord(text) {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
