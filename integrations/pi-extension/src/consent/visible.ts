/** What a terminal does not show, or shows in place of something else. The one space that is a space is left. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** The text with what is hidden in it written as `\u{…}`: line breaks, escape sequences, marks that turn the writing round. */
export function visible(text: string): string {
	return text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The text within `chars`, with the number of characters that were left out in their place. */
export function bounded(text: string, chars: number): string {
	if (text.length <= chars) return text;
	const end = Math.floor(chars / 4);
	const left = text.length - chars;
	return `${text.slice(0, chars - end)} …[${left} characters not shown]… ${text.slice(text.length - end)}`;
}
