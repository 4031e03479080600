import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../../e2e/harness/paths.js";

const TESTS = "runtime/tests";

/**
 * The integration tests of cargo in which some of these guards' tests are.
 *
 * @param {import("./list.mjs").Entry[]} entries
 */
export function testTargets(entries) {
	const files = rustFiles(TESTS);
	const targets = entries
		.flatMap(({ tests }) => tests)
		.flatMap((test) => ("rust" in test ? files.filter(({ text }) => text.includes(definition(test.rust))) : []))
		.map(({ file }) => path.relative(TESTS, file).split(path.sep)[0] ?? "");
	return [...new Set(targets)].map((name) => path.basename(name, ".rs"));
}

/**
 * How a test function begins.
 *
 * @param {string} name
 */
export function definition(name) {
	return `fn ${name.split("::").at(-1)}(`;
}

/**
 * @param {string} folder
 * @returns {{file: string, text: string}[]}
 */
export function rustFiles(folder) {
	return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
		const file = path.join(folder, entry.name);
		if (entry.isDirectory()) return rustFiles(file);
		return entry.name.endsWith(".rs") ? [{ file, text: readFileSync(path.join(ROOT, file), "utf8") }] : [];
	});
}
