import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { AgentToolsError } from "../../agent-tools-error.js";

/** The encoding of OpenAI's models since GPT-4o. Others count a little differently; the proportions stay. */
export const ENCODING = "o200k_base";

/**
 * No dependency of this package: its vocabularies are 30 MB, and nothing but counting needs them. `npx` installs into a
 * folder of its own, so the working folder counts as well.
 */
const PACKAGE = `gpt-tokenizer/encoding/${ENCODING}`;
const PLACES = [import.meta.url, pathToFileURL(path.resolve("package.json"))];

/**
 * How many tokens a text is.
 *
 * @param {(string | URL)[]} [places] files from which the package is looked for, upwards
 * @returns {Promise<(text: string) => number>}
 */
export async function loadTokenizer(places = PLACES) {
	const file = places.map(resolved).find((found) => found !== undefined);
	if (file === undefined) {
		throw new AgentToolsError("TOKENIZER_MISSING", "counting tokens needs the package gpt-tokenizer", {
			hint: "Install it here, and run the command again: npm install gpt-tokenizer",
		});
	}
	const { encode } = await import(pathToFileURL(file).href);
	// What looks like a control token is text here, as in any message.
	const asText = { disallowedSpecial: new Set() };
	return (text) => encode(text, asText).length;
}

/** @param {string | URL} place */
function resolved(place) {
	try {
		return createRequire(place).resolve(PACKAGE);
	} catch {
		return undefined;
	}
}
