/**
 * Texts come from services: on a terminal nothing in them may steer it or turn the line around.
 *
 * @param {string} text of any number of lines
 */
export function plainText(text) {
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, (character) =>
		/[\n\t]/.test(character) ? character : "?",
	);
}
