import { refusal } from "./call.mjs";

/** @typedef {{id: string, name: string}} Named */

export const NAME_PATTERN = {
	type: "string",
	minLength: 1,
	description: "Part of the name; with * and ? the whole name, as in test-*. Capitals do not matter",
};

/**
 * @param {string | undefined} pattern
 * @returns {(item: {name: string}) => boolean}
 */
export function named(pattern) {
	if (pattern === undefined) return () => true;
	const wanted = pattern.toLowerCase();
	if (!/[*?]/.test(wanted)) return ({ name }) => name.toLowerCase().includes(wanted);
	const parts = wanted.split("*");
	return ({ name }) => fits(name.toLowerCase(), parts);
}

/**
 * Without a regular expression: no pattern can make it slow.
 *
 * @param {string} name
 * @param {string[]} parts what stood between the stars
 */
function fits(name, parts) {
	const [first = "", ...rest] = parts;
	if (!startsWith(name, first, 0)) return false;
	const last = rest.pop();
	if (last === undefined) return name.length === first.length;
	let at = first.length;
	for (const part of rest) {
		while (at + part.length <= name.length && !startsWith(name, part, at)) at++;
		if (at + part.length > name.length) return false;
		at += part.length;
	}
	return name.length - last.length >= at && startsWith(name, last, name.length - last.length);
}

/**
 * @param {string} name
 * @param {string} part with `?` for any character
 * @param {number} at
 */
function startsWith(name, part, at) {
	if (at + part.length > name.length) return false;
	for (let index = 0; index < part.length; index++) {
		if (part[index] !== "?" && part[index] !== name[at + index]) return false;
	}
	return true;
}

/**
 * The one that is meant, or an error that names the candidates.
 *
 * @template {Named} T
 * @param {T[]} found
 * @param {string} what
 * @param {string} pattern
 * @returns {T}
 */
export function onlyOne(found, what, pattern) {
	const [only] = found;
	if (only && found.length === 1) return only;
	if (!only) throw refusal(`No ${what} is called like ${JSON.stringify(pattern)}.`);
	const some = found.slice(0, 10).map(({ id, name }) => `${name} (${id})`);
	const more = found.length > some.length ? ` and ${found.length - some.length} more` : "";
	throw refusal(
		`${found.length} ${what}s are called like ${JSON.stringify(pattern)}: ${some.join(", ")}${more}. Nothing was done.`,
		"Give the id, or a name that only one has.",
	);
}
