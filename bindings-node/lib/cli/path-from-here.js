import { existsSync, statSync } from "node:fs";
import path from "node:path";

/**
 * The words that are paths from the working folder, and not names of programs or packages.
 *
 * @param {string[]} words
 */
export function pathsFromHere(words) {
	return words.filter(isHere);
}

/** @param {string} word */
function isHere(word) {
	if (path.isAbsolute(word) || !existsSync(word)) return false;
	return /^\.{1,2}([/\\]|$)/.test(word) || (/[./\\]/.test(word) && statSync(word).isFile());
}
