import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { packedFiles } from "./source-package.mjs";

const KINDS = /\.(c|m)?js$|\.ts$|\.json$|\.ya?ml$|\.md$|\.node$|^LICENSE$/;
const STRAY = /(^|\/)(tests?|fixtures|node_modules|\..+)\/|\.test\.|(^|\/)(tsconfig|package-lock)\.json$/;
const RELATIVE_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

/**
 * What is missing from a staged package, or should not be in it; one line each.
 *
 * @param {string} dir
 * @returns {string[]}
 */
export function contentFaults(dir) {
	const files = filesBelow(dir);
	const packed = new Set(packedFiles(dir));
	const name = path.basename(dir);
	return [
		...files.filter((file) => !isPublishedKind(file)).map((file) => `stray file ${file}`),
		...files.filter((file) => !packed.has(file)).map((file) => `npm would not pack ${file}`),
		...required(dir)
			.filter((file) => !existsSync(path.join(dir, file)))
			.map((file) => `no file ${file}`),
		...files.flatMap((file) => brokenImports(dir, file)),
	].map((fault) => `${name}: ${fault}`);
}

/**
 * Whether a file is of a kind that is published: no test, and nothing of the development.
 *
 * @param {string} file
 */
export function isPublishedKind(file) {
	return KINDS.test(path.basename(file)) && !STRAY.test(file);
}

/**
 * The files that its manifests name.
 *
 * @param {string} dir
 */
function required(dir) {
	const manifest = readJson(dir, "package.json");
	const plugin = readJson(dir, "plugin.json")?.extensions?.["dev.agent-tools-runtime"] ?? {};
	return [
		"README.md",
		"LICENSE",
		...paths([manifest.main, manifest.types, manifest.bin, manifest.exports, manifest.pi?.extensions]),
		...paths([plugin.adapter, plugin.skills, documentOf(plugin)]),
		...(path.basename(dir).startsWith("agent-tools-plugin-") ? ["plugin.json"] : []),
	];
}

/**
 * The OpenAPI document of a plugin, where it is a file.
 *
 * @param {{openapi?: {document?: string}}} plugin
 */
function documentOf({ openapi }) {
	return openapi?.document?.startsWith("./") ? openapi.document : undefined;
}

/**
 * Every text in a nested value.
 *
 * @param {unknown} value
 * @returns {string[]}
 */
function paths(value) {
	if (typeof value === "string") return [value];
	return value && typeof value === "object" ? Object.values(value).flatMap(paths) : [];
}

/**
 * @param {string} dir
 * @param {string} file
 */
function brokenImports(dir, file) {
	if (!/\.([cm]?js|ts)$/.test(file)) return [];
	const text = readFileSync(path.join(dir, file), "utf8").replaceAll(/^\s*\*.*$/gm, "");
	return [...text.matchAll(RELATIVE_IMPORT)]
		.map(([, target = ""]) => path.join(path.dirname(file), target))
		.filter((target) => !existsSync(path.join(dir, target)))
		.map((target) => `${file} imports ${target}, which is not in the package`);
}

/**
 * @param {string} dir
 * @returns {string[]}
 */
function filesBelow(dir) {
	return readdirSync(dir, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
		.sort();
}

/**
 * @param {string} dir
 * @param {string} file
 */
function readJson(dir, file) {
	try {
		return JSON.parse(readFileSync(path.join(dir, file), "utf8"));
	} catch {
		return undefined;
	}
}
