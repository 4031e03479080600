import * as json from "../edit/formats/json.js";
import { isTable } from "../edit/formats/text.js";

const REFERENCE = /\$\{secret:([^}]+)\}/g;

/**
 * The secrets that an entry names.
 *
 * @param {unknown} entry
 */
export function secretsOf(entry) {
	const names = [...JSON.stringify(entry).matchAll(REFERENCE)].map(([, name = ""]) => name);
	return [...new Set(names)];
}

/**
 * The text of a file with the secrets that the entry names: where they say nothing else, they are what `agent-tools secret set`
 * keeps. A project's file names none of the keyring.
 *
 * @param {import("./target.js").Target} target
 * @param {string} text
 * @param {unknown} entry
 */
export function withSecrets({ scope }, text, entry) {
	if (scope === "project") return text;
	const { secrets } = json.parse(text);
	const missing = secretsOf(entry).filter((name) => !(isTable(secrets) && Object.hasOwn(secrets, name)));
	return missing.reduce((before, name) => json.set(before, ["secrets", name], { keyring: name }), text);
}
