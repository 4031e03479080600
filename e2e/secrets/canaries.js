import { randomBytes } from "node:crypto";

/**
 * A secret for each place that one can come from. Its middle is made of letters that every encoding leaves as they are, so
 * that none hides it; nothing in it looks random, so that only the place says that it is one.
 *
 * @param {string[]} places
 * @param {string} [around] characters that encodings write otherwise
 * @returns {Record<string, string>}
 */
export function canaries(places, around = '/+"&') {
	return Object.fromEntries(places.map((place) => [place, `c${around}${place}-${letters()}${around}`]));
}

/** 24 letters. */
function letters() {
	return [...randomBytes(24)].map((byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/**
 * Where a secret is in a text, whole or half, as it is, escaped, percent-encoded, in base64 or in hexadecimal.
 *
 * @param {Record<string, string>} secrets
 * @param {string} text
 */
export function leaks(secrets, text) {
	return Object.entries(secrets).flatMap(([place, secret]) => {
		const middle = /[a-z]{24}/.exec(secret)?.[0] ?? secret;
		const base64 = [0, 1, 2].map((offset) =>
			Buffer.from("\0".repeat(offset) + middle)
				.toString("base64")
				.slice(4, -4),
		);
		const hex = Buffer.from(middle).toString("hex");
		const half = middle.length / 2;
		const forms = [middle.slice(0, half), middle.slice(half), hex, hex.toUpperCase(), ...base64];
		return forms.filter((form) => text.includes(form)).map((form) => `${place} as ${form}: …${around(text, form)}…`);
	});
}

/**
 * @param {string} text
 * @param {string} form
 */
function around(text, form) {
	const at = text.indexOf(form);
	return text.slice(Math.max(0, at - 150), at + form.length + 50);
}
