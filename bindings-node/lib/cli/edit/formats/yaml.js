// YAML, edited as text at the places that the parser names: writing it anew would change quotes, indents and long lines.

import { isMap, isScalar, parseDocument, stringify } from "yaml";
import { BrokenText, isTable, lineEndOf, nextLine, splice, startOfLine, UnsafeEdit } from "./text.js";

/**
 * @typedef {import("yaml").Pair<import("yaml").Node, import("yaml").Node | null>} Pair
 * @typedef {import("yaml").YAMLMap<import("yaml").Node, import("yaml").Node | null>} YamlMap
 */

/** @param {string} text @returns {Record<string, unknown>} */
export function parse(text) {
	const document = parseDocument(text);
	const [error] = document.errors;
	if (error) {
		const [start] = error.linePos ?? [];
		throw new BrokenText(String(error.message.split("\n")[0]).replace(/ at line .*/, ""), start?.line, start?.col);
	}
	const value = document.toJS() ?? {};
	if (!isTable(value)) throw new BrokenText("it holds no mapping", 1, 1);
	return value;
}

/**
 * @param {string} text
 * @param {string[]} path `[container, name]`, and the key of an entry that is there
 * @param {unknown} value
 */
export function set(text, path, value) {
	const [container, name, key] = /** @type {[string, string, string?]} */ (path);
	const eol = lineEndOf(text);
	if (key !== undefined) return setKey(text, [container, name, key], value);
	const pair = pairAt(text, [container]);
	if (!pair) {
		const start = text === "" || text.endsWith("\n") ? text : text + eol;
		return start + block({ [container]: { [name]: value } }, "", eol);
	}
	return insert(text, pair, name, value);
}

/**
 * @param {string} text
 * @param {string[]} path
 */
export function remove(text, path) {
	const pair = pairAt(text, path);
	if (!pair) return text;
	const map = path.length > 1 ? pairAt(text, path.slice(0, -1))?.value : undefined;
	const [from, to] = [startOf(pair), endOf(text, pair)];
	if (isMap(map) && map.flow) {
		const comma = /^[ \t\r\n]*,[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
		return splice(text, from, to + comma);
	}
	return splice(text, startOfLine(text, from), to === startOfLine(text, to) ? to : nextLine(text, to));
}

/**
 * @param {string} text
 * @param {[string, string, string]} path
 * @param {unknown} value
 */
function setKey(text, path, value) {
	const old = pairAt(text, path);
	if (!old) return insert(text, /** @type {Pair} */ (pairAt(text, path.slice(0, -1))), path[2], value);
	if (!old.value?.range) throw new UnsafeEdit();
	const from = old.value.range[0];
	let to = endOf(text, old);
	while (to > from && /\s/.test(String(text[to - 1]))) to -= 1;
	return splice(text, from, to, JSON.stringify(value));
}

/**
 * First in the mapping: behind its last line there may be comments that belong elsewhere.
 *
 * @param {string} text
 * @param {Pair} into
 * @param {string} name
 * @param {unknown} value
 */
function insert(text, into, name, value) {
	const map = into.value;
	const eol = lineEndOf(text);
	if (isMap(map) && map.flow) {
		const at = startOfValue(map) + 1;
		return splice(text, at, at, `${JSON.stringify(name)}: ${JSON.stringify(value)}${map.items.length > 0 ? ", " : ""}`);
	}
	const outer = startOf(into) - startOfLine(text, startOf(into));
	const first = isMap(map) ? /** @type {Pair | undefined} */ (map.items[0]) : undefined;
	// Only a value that is left out: what is written as `null` or `~` would have to go.
	if (!first && !(isScalar(map) && map.value === null && map.range?.[0] === map.range?.[1])) throw new UnsafeEdit();
	const indent = first ? startOf(first) - startOfLine(text, startOf(first)) : outer + 2;
	const at = nextLine(text, Number(into.key.range?.[1]));
	const start = text.slice(0, at).endsWith("\n") ? "" : eol;
	return splice(text, at, at, start + block({ [name]: value }, " ".repeat(indent), eol));
}

/**
 * @param {string} text
 * @param {string[]} path
 * @returns {Pair | undefined}
 */
function pairAt(text, path) {
	/** @type {unknown} */
	let node = parseDocument(text).contents;
	/** @type {Pair | undefined} */
	let pair;
	for (const key of path) {
		if (!isMap(node)) return undefined;
		pair = /** @type {YamlMap} */ (node).items.find(({ key: own }) => isScalar(own) && own.value === key);
		if (!pair) return undefined;
		node = pair.value;
	}
	return pair;
}

/** @param {Pair} pair */
function startOf({ key }) {
	return Number(key.range?.[0]);
}

/** @param {import("yaml").Node} node */
function startOfValue({ range }) {
	return Number(range?.[0]);
}

/**
 * Behind the value, before comments that follow it: the parser counts those below a mapping as part of it.
 *
 * @param {string} text
 * @param {Pair} pair
 * @returns {number}
 */
function endOf(text, { key, value }) {
	if (!value?.range) return Number(key.range?.[1]);
	const items = /** @type {{items?: unknown[], flow?: boolean}} */ (value);
	const last = items.flow ? undefined : items.items?.at(-1);
	if (!last) return value.range[1];
	const pair = /** @type {Pair} */ (Object(last).key ? last : { key: last, value: last });
	return endOf(text, pair);
}

/**
 * @param {object} value
 * @param {string} indent
 * @param {string} eol
 */
function block(value, indent, eol) {
	const lines = stringify(value, { lineWidth: 0 }).trimEnd().split("\n");
	return lines.map((line) => indent + line + eol).join("");
}
