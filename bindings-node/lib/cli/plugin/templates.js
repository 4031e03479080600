import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const TEMPLATES = fileURLToPath(new URL("../../../templates/plugin", import.meta.url));
const EXTENSION = "dev.agent-tools-runtime";
/** Of every package, whatever its `files` say. */
const ALWAYS_PACKED = ["package.json", "README.md", "LICENSE"];

/**
 * @typedef {Record<string, string>} Files their text by path
 * @typedef {Record<string, string>} Words what `__WORD__` stands for
 */

/**
 * The files of a kind and those of every kind, as they are.
 *
 * @param {string} kind
 * @returns {Files}
 */
export function templateFiles(kind) {
	return { ...filesBelow("shared"), ...filesBelow(kind) };
}

/**
 * The files of a new plugin.
 *
 * @param {Files} templates
 * @param {{name: string, words: Words, extension: Record<string, unknown>, files: Files}} plugin `extension`: keys of the
 *   manifest that are not those of the template; `files`: more of them
 * @returns {Files}
 */
export function pluginFiles(templates, { name, words, extension, files }) {
	const filled = Object.entries(templates).map(([file, text]) => {
		const place = file === "plugin-test.js" ? `test/${name}.test.js` : file;
		return [place, file.endsWith(".json") ? filledJson(text, words) : filledText(text, words)];
	});
	/** @type {Files} */
	const all = { ...Object.fromEntries(filled), ...files };
	const manifest = JSON.parse(all["plugin.json"] ?? "");
	Object.assign(manifest.extensions[EXTENSION], extension);
	const description = JSON.parse(all["package.json"] ?? "");
	description.files = packed(Object.keys(all));
	return { ...all, "plugin.json": json(manifest), "package.json": json(description) };
}

/** @param {unknown} value */
export function json(value) {
	return `${JSON.stringify(value, null, "\t")}\n`;
}

/**
 * @param {string} text
 * @param {Words} words
 */
function filledText(text, words) {
	return text.replaceAll(/__([A-Z]+(?:_[A-Z]+)*)__/g, (placeholder, word) => words[word] ?? placeholder);
}

/**
 * The values alone, as what stands for a word may need to be escaped.
 *
 * @param {string} text
 * @param {Words} words
 */
function filledJson(text, words) {
	return json(JSON.parse(text, (_, value) => (typeof value === "string" ? filledText(value, words) : value)));
}

/**
 * What `files` of package.json names: folders whole, but not the tests.
 *
 * @param {string[]} files
 */
function packed(files) {
	const first = new Set(files.map((file) => String(file.split("/", 1)[0])));
	return [...first].filter((entry) => entry !== "test" && !ALWAYS_PACKED.includes(entry)).sort();
}

/**
 * @param {string} folder
 * @returns {Files}
 */
function filesBelow(folder) {
	const dir = path.join(TEMPLATES, folder);
	const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return Object.fromEntries(
		entries.map((entry) => {
			const file = path.join(entry.parentPath, entry.name);
			return [path.relative(dir, file).split(path.sep).join("/"), readFileSync(file, "utf8")];
		}),
	);
}
