import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../harness/paths.js";

/**
 * @typedef {object} Block
 * @property {string} language
 * @property {string} text
 * @property {boolean} goesOn whether it is to be left running
 *
 * @typedef {{title: string, blocks: Block[]}} Section
 */

/** What a block begins with that does not end by itself. */
const GOES_ON = "# in a terminal of its own\n";

/** The sections of docs/quick-start.md, with what stands there to be copied. @returns {Section[]} */
export function quickStartSections() {
	const page = readFileSync(path.join(ROOT, "docs/quick-start.md"), "utf8");
	const [, ...sections] = page.split(/^## /m);
	return sections.map((text) => ({ title: text.slice(0, text.indexOf("\n")), blocks: blocksOf(text) }));
}

/** @param {string} markdown */
function blocksOf(markdown) {
	return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
		language,
		text,
		goesOn: text.startsWith(GOES_ON),
	}));
}
