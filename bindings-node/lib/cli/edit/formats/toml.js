// A TOML file as its statements, each a key with its value or the head of a table, which may go over several lines.

import { parse as parseToml } from "smol-toml";
import { BrokenText, isTable, lineEndOf, UnsafeEdit } from "./text.js";

/**
 * @typedef {object} Statement
 * @property {string[]} path the table that it begins, or the key that it sets within its table
 * @property {boolean} isHead
 * @property {number} from its first line
 * @property {number} to the line behind it
 */

/** @param {string} text @returns {Record<string, unknown>} */
export function parse(text) {
	try {
		return read(text);
	} catch (error) {
		const { message, line, column } = /** @type {import("smol-toml").TomlError} */ (error);
		throw new BrokenText(String(message.split("\n")[0]).replace(/^Invalid TOML document: /, ""), line, column);
	}
}

/**
 * @param {string} text
 * @param {string[]} path `[container, name]`, and the key of an entry that is there
 * @param {unknown} value
 */
export function set(text, path, value) {
	const [container, name, key] = /** @type {[string, string, string?]} */ (path);
	const eol = lineEndOf(text);
	if (key === undefined) {
		const lines = [`[${bare(container)}.${bare(name)}]`, ...Object.entries(Object(value)).map(assignment)];
		const before = text === "" || text.endsWith("\n") ? text : text + eol;
		return `${before}${before.trim() === "" ? "" : eol}${lines.join(eol)}${eol}`;
	}
	const { lines, head, inside } = tableOf(text, [container, name]);
	const old = inside.find(({ path: own }) => own.length === 1 && own[0] === key);
	const comment = old ? commentOf(lines.slice(old.from, old.to), key) : "";
	const written = assignment([key, value]) + comment + (eol === "\r\n" ? "\r" : "");
	if (old) lines.splice(old.from, old.to - old.from, written);
	else lines.splice(head.to, 0, written);
	return lines.join("\n");
}

/**
 * @param {string} text
 * @param {string[]} path
 */
export function remove(text, path) {
	const [container, name, key] = /** @type {[string, string, string?]} */ (path);
	if (name === undefined) return text;
	const { lines, head, inside } = tableOf(text, [container, name]);
	const old = key === undefined ? undefined : inside.find(({ path: own }) => own[0] === key);
	if (key !== undefined && !old) throw new UnsafeEdit();
	const [from, to] = old ? [old.from, old.to] : [head.from, (inside.at(-1) ?? head).to];
	// The blank line that stood before it goes too.
	const blank = !old && from > 0 && lines[from - 1]?.trim() === "" ? 1 : 0;
	lines.splice(from - blank, to - from + blank);
	return lines.join("\n");
}

/**
 * @param {string} text
 * @param {string[]} path
 */
function tableOf(text, path) {
	const lines = text.split("\n");
	const all = statements(lines);
	const at = all.findIndex(({ isHead, path: own }) => isHead && own.join("\0") === path.join("\0"));
	const head = all[at];
	if (!head) throw new UnsafeEdit();
	const next = all.findIndex(({ isHead }, i) => i > at && isHead);
	return { lines, head, inside: all.slice(at + 1, next < 0 ? undefined : next) };
}

/** @param {string[]} lines @returns {Statement[]} */
function statements(lines) {
	const found = [];
	for (let from = 0; from < lines.length; ) {
		const line = String(lines[from]).trim();
		let to = from + 1;
		if (line !== "" && !line.startsWith("#")) {
			// A statement ends where what was read of it is a document of its own.
			while (to <= lines.length && !readable(lines.slice(from, to))) to += 1;
			if (to > lines.length) throw new UnsafeEdit();
			found.push({ path: keysOf(read(source(lines.slice(from, to)))), isHead: line.startsWith("["), from, to });
		}
		from = to;
	}
	return found;
}

/** @param {string} text */
function read(text) {
	return parseToml(text, { integersAsBigInt: "asNeeded" });
}

/** The last line without the half of its end that splitting has left. @param {string[]} lines */
function source(lines) {
	return lines.join("\n").replace(/\r$/, "");
}

/** @param {string[]} lines */
function readable(lines) {
	try {
		read(source(lines));
		return true;
	} catch {
		return false;
	}
}

/** The only way down into the table. @param {unknown} table @returns {string[]} */
function keysOf(table) {
	if (!isTable(table)) return [];
	const keys = Object.keys(table);
	const [key] = keys;
	return keys.length === 1 && key !== undefined ? [key, ...keysOf(table[key])] : [];
}

/** What stands behind a value. @param {string[]} lines @param {string} key */
function commentOf(lines, key) {
	const text = source(lines);
	const whole = JSON.stringify(read(text)[key]);
	for (let at = text.indexOf("#"); at >= 0; at = text.indexOf("#", at + 1)) {
		if (readable([text.slice(0, at)]) && JSON.stringify(read(text.slice(0, at))[key]) === whole) {
			return ` ${text.slice(at)}`;
		}
	}
	return "";
}

/** JSON's strings and lists are TOML's too. @param {[string, unknown]} entry */
function assignment([key, value]) {
	return `${bare(key)} = ${Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value)}`;
}

/** @param {string} key */
function bare(key) {
	return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}
