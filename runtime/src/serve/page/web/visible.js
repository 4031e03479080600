// What services say may hold characters that nobody sees. The core's `trust/visible.rs` writes them out for terminals, this for the page.

/** Those of the core's `catalog/hidden.rs`, as code points. */
const HIDDEN = `0-8 b-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e 2060-206f 3164 e000-f8ff
	fe00-fe0f feff ffa0 fff0-fffb 1bca0-1bca3 1d173-1d17a e0000-e0fff f0000-10ffff`;

const pattern = HIDDEN.split(/\s+/).map((range) =>
	range
		.split("-")
		.map((code) => `\\u{${code}}`)
		.join("-"),
);
const hidden = new RegExp(`[${pattern.join("")}]`, "gu");

/**
 * The text with every character that is not seen written as `\u{…}`; line breaks and tabs are seen by what they do.
 *
 * @param {string} text
 */
export function visible(text) {
	return text.replace(hidden, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);
}
