// A client's file as it may be shown: what stands in it is the user's.

import path from "node:path";
import { isReference, looksSecret, MASK, saysSecret } from "../looks-secret.js";
import { formats } from "./formats/formats.js";
import { isTable } from "./formats/text.js";

/** Tables in which any value may be a secret, whatever its name. */
const TABLES = /^(envs?|environment|cookies|auth|.*headers)$/i;
/** What names a variable that holds a secret, as `bearer_token_env_var` does. */
const NAMES_VARIABLE = /(_env|env_?var)$/i;
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/i;
/** A name with its value, in a comment too. */
const PAIR = /(?<name>[\w.-]+)(?<between>["']?\s*[:=]\s*)(?<quote>["'])(?<value>(?:\\.|(?!\k<quote>).)*)\k<quote>/g;
/** What is shorter stands in other words too. */
const DISTINCT = 4;

/** @typedef {{name: string, value: string}} Secret */

/**
 * The text with as many lines as before.
 *
 * @param {string} file by its ending it is known what is in it
 * @param {string} text
 */
export function withoutSecrets(file, text) {
	const format = formatOf(file);
	let shown = text;
	if (isReadable(format, text)) {
		for (const without of [withoutNamed, withoutValue]) {
			for (const secret of secretsIn(format, shown)) shown = without(shown, secret);
			if (!isReadable(format, shown)) return nothingOf(text);
		}
		// One that is written in another way than it reads.
		if (secretsIn(format, shown).length > 0) return nothingOf(text);
	}
	return shown.replace(PAIR, (pair, name, between, quote, value) =>
		isSecret(name, value) ? `${name}${between}${quote}${MASK}${quote}` : pair,
	);
}

/** @param {string} file */
function formatOf(file) {
	const ending = path.extname(file).toLowerCase();
	return formats[ending === ".toml" ? "toml" : /^\.ya?ml$/.test(ending) ? "yaml" : "json"];
}

/**
 * @param {import("./formats/formats.js").Format} format
 * @param {string} text
 */
function isReadable(format, text) {
	try {
		format.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** @param {string} text */
function nothingOf(text) {
	return text.replace(/[^\n]+/g, MASK);
}

/**
 * @param {import("./formats/formats.js").Format} format
 * @param {string} text
 * @returns {Secret[]}
 */
function secretsIn(format, text) {
	/** @type {Secret[]} */
	const found = [];
	const look = (/** @type {string} */ name, /** @type {unknown} */ value, /** @type {boolean} */ any) => {
		if (Array.isArray(value)) {
			// What follows an option is its value.
			value.forEach((item, i) => {
				look(/^-/.test(value[i - 1]) ? value[i - 1] : name, item, any);
			});
		} else if (isTable(value)) {
			for (const [key, inner] of Object.entries(value)) look(key, inner, any || TABLES.test(key));
		} else if (["string", "number", "bigint"].includes(typeof value)) {
			const written = String(value);
			if (any ? !isReference(written) : isSecret(name, written)) found.push({ name, value: written });
		}
	};
	look("", format.parse(text), false);
	return found;
}

/**
 * @param {string} name
 * @param {string} value
 */
function isSecret(name, value) {
	if (isReference(value) || (NAMES_VARIABLE.test(name) && VARIABLE.test(value))) return false;
	// As in `--header 'X-Api-Key: …'`.
	const [, header = "", inner = ""] = /^([\w-]+):\s*(.*)$/s.exec(value) ?? [];
	return saysSecret(name) || (saysSecret(header) && !isReference(inner)) || isShapedSo(name, value);
}

/**
 * Where the addon that knows the shapes does not load, the name alone tells.
 *
 * @param {string} name
 * @param {string} value
 */
function isShapedSo(name, value) {
	try {
		return looksSecret(name, value);
	} catch {
		return false;
	}
}

/**
 * Where it stands behind its name: a short value may be an ordinary word elsewhere.
 *
 * @param {string} text
 * @param {Secret} secret
 */
function withoutNamed(text, { name, value }) {
	return formsOf(value).reduce((before, form) => {
		const [key, written] = [name, form].map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
		const end = "(?=\\s*(?:[,}\\]#]|$))";
		const place = new RegExp(`(?<![\\w-])(${key}["']?\\s*[:=]\\s*)(?:(["'])${written}\\2|${written}${end})`, "gm");
		return before.replace(place, (_, start, quote = '"') => `${start}${quote}${MASK}${quote}`);
	}, text);
}

/**
 * Wherever it stands, line by line.
 *
 * @param {string} text
 * @param {Secret} secret
 */
function withoutValue(text, { value }) {
	const lines = value.split("\n").map((line) => line.trim());
	const distinct = lines.filter((line) => line.length >= DISTINCT && !isReference(line));
	return distinct.flatMap(formsOf).reduce((before, form) => before.replaceAll(form, MASK), text);
}

/** As JSON, TOML and YAML write it. @param {string} value */
function formsOf(value) {
	const escaped = JSON.stringify(value).slice(1, -1);
	return [...new Set([value, escaped, escaped.replaceAll("/", "\\/"), value.replaceAll("'", "''")])];
}
