import { randomUUID } from "node:crypto";
import { register } from "node:module";
import { TextDocument } from "vscode-languageserver-textdocument";

// GitHub's package imports JSON as bundlers take it, which Node does not without being told what it is.
const LOADER = `
	import { readFileSync } from "node:fs";
	export async function load(url, context, next) {
		if (!/@actions.*\\.json$/.test(url)) return next(url, context);
		return { format: "module", shortCircuit: true, source: "export default " + readFileSync(new URL(url), "utf8") };
	}`;
register(`data:text/javascript,${encodeURIComponent(LOADER)}`);
const { validate } = await import("@actions/languageservice");

/**
 * What GitHub's own parser of workflows says: unknown keys and names, jobs and matrix values that do not exist.
 *
 * @param {string} name
 * @param {string} text
 * @returns {Promise<string[]>}
 */
export async function parsedByGitHub(name, text) {
	// What was parsed is kept by its address, even where the text is another.
	const document = TextDocument.create(`file:///${randomUUID()}/.github/workflows/${name}`, "yaml", 1, text);
	const found = await validate(document, {});
	return found.map(({ range, message }) => `line ${range.start.line + 1}: ${message}`);
}
