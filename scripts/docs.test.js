import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PAGES, pageText } from "./docs.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = [".", "docs", "integrations/pi-extension", "integrations/eve", ...folders("plugins")];

for (const page of PAGES) {
	test(`${page.file} is what the schema says; \`npm run docs\` writes it`, () => {
		assert.equal(readFileSync(path.join(ROOT, page.file), "utf8"), pageText(page));
	});
}

test("every link of the documentation leads to a file and a heading that are there", () => {
	const broken = [];
	for (const folder of FOLDERS) {
		for (const name of readdirSync(path.join(ROOT, folder)).filter((file) => file.endsWith(".md"))) {
			const file = path.join(ROOT, folder, name);
			for (const [, target = ""] of withoutCode(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
				const [to = "", heading] = target.split("#");
				const linked = to ? path.resolve(path.dirname(file), to) : file;
				const isThere = existsSync(linked) && (!heading || headings(linked).includes(heading));
				if (!isThere) broken.push(`${path.join(folder, name)}: ${target}`);
			}
		}
	}
	assert.deepEqual(broken, []);
});

/** @param {string} folder */
function folders(folder) {
	return readdirSync(path.join(ROOT, folder)).map((name) => path.join(folder, name));
}

/** @param {string} file */
function withoutCode(file) {
	return readFileSync(file, "utf8").replace(/^```.*?^```$/gms, "");
}

/**
 * The names that GitHub gives the headings of a page.
 *
 * @param {string} file
 */
function headings(file) {
	return [...withoutCode(file).matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) =>
		text
			.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.trim()
			.replaceAll(" ", "-"),
	);
}
