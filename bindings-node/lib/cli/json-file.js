import { readFileSync, statSync } from "node:fs";
import jsonc from "jsonc-parser";
import { checkDepth, mistakeOf } from "./edit/formats/json.js";
import { BrokenText, brokenAt } from "./edit/formats/text.js";

/**
 * A file of JSON with comments and trailing commas, as far as it can be read, and its first mistake.
 *
 * @param {string} file
 * @param {{strict?: boolean}} [how] `strict`: neither comments nor trailing commas
 * @returns {{value?: any, text: string, mistake?: string}}
 */
export function readJson(file, { strict = false } = {}) {
	let text;
	try {
		// Nobody may ever write into it.
		if (statSync(file).isFIFO()) return { text: "", mistake: "it is a pipe and no file" };
		text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
	} catch (error) {
		return { text: "", mistake: error instanceof Error ? error.message : String(error) };
	}
	try {
		checkDepth(text);
	} catch (error) {
		if (!(error instanceof BrokenText)) throw error;
		return { text, mistake: `${error.position}: ${error.message}` };
	}
	/** @type {import("jsonc-parser").ParseError[]} */
	const errors = [];
	const value = jsonc.parse(text, errors, { allowTrailingComma: !strict, disallowComments: strict });
	const [first] = errors;
	if (!first) return { value, text };
	const { position, message } = brokenAt(text, first.offset, mistakeOf(first));
	return { value, text, mistake: `${position}: ${message}` };
}

/**
 * Where a key first stands.
 *
 * @param {string} text
 * @param {string} key
 * @returns {string | undefined}
 */
export function positionOfKey(text, key) {
	/** @type {string | undefined} */
	let found;
	jsonc.visit(text, {
		onObjectProperty: (name, offset) => {
			if (name === key) found ??= brokenAt(text, offset, "").position;
		},
	});
	return found;
}
