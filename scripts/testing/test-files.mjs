import { readdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../e2e/harness/paths.js";

/**
 * Every `*.test.js` below a folder of the repository. Named one by one: Node 20 knows no patterns, and Node 22 and later
 * take a folder for a module.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function testFiles(folder) {
	const dir = path.join(ROOT, folder);
	return entries(dir)
		.flatMap((entry) => {
			const file = path.join(folder, entry.name);
			if (entry.isDirectory()) return entry.name === "node_modules" ? [] : testFiles(file);
			return /\.test\.[cm]?js$/.test(entry.name) ? [file] : [];
		})
		.sort();
}

/** @param {string} dir */
function entries(dir) {
	try {
		return readdirSync(dir, { withFileTypes: true });
	} catch {
		return [];
	}
}
