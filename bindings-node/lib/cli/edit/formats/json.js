// JSON, with comments and trailing commas: what a client does not read itself stays in the file all the same.

import jsonc from "jsonc-parser";
import { BrokenText, brokenAt, indentAt, isTable, lineEndOf, nextLine, splice, startOfLine } from "./text.js";

/** @typedef {import("jsonc-parser").Node} Node */

/** The codes of the parser as words: `CommaExpected` is `comma expected`. */
const WORDS = /(?<=[a-z])(?=[A-Z])/;

/** @param {import("jsonc-parser").ParseError} error */
export function mistakeOf({ error }) {
	return jsonc.printParseErrorCode(error).split(WORDS).join(" ").toLowerCase();
}

/** No file of a person's is as deep; the stack of those that read it has an end. */
const DEEPEST = 500;

/** @param {string} text */
export function checkDepth(text) {
	const scanner = jsonc.createScanner(text, true);
	let depth = 0;
	for (let token = scanner.scan(); token !== SyntaxKind.EOF; token = scanner.scan()) {
		if (token === SyntaxKind.OpenBraceToken || token === SyntaxKind.OpenBracketToken) depth += 1;
		if (token === SyntaxKind.CloseBraceToken || token === SyntaxKind.CloseBracketToken) depth -= 1;
		if (depth <= DEEPEST) continue;
		throw brokenAt(text, scanner.getTokenOffset(), "it is nested too deeply");
	}
}

/** @param {string} text */
export function parse(text) {
	if (text.trim() === "") return {};
	checkDepth(text);
	/** @type {import("jsonc-parser").ParseError[]} */
	const errors = [];
	const value = jsonc.parse(text, errors, { allowTrailingComma: true });
	const [first] = errors;
	if (first) throw brokenAt(text, first.offset, mistakeOf(first));
	if (!isTable(value)) throw new BrokenText("it holds no object", 1, 1);
	return value;
}

/**
 * @param {string} text
 * @param {string[]} path
 * @param {unknown} value
 */
export function set(text, path, value) {
	const at = find(text, path);
	if (at) return splice(text, at.offset, at.offset + at.length, write(value, text, indentAt(text, at.offset)));
	if (text.trim() === "") return `${write(nested(path, value), text, "")}${lineEndOf(text)}`;
	const known = path.findLastIndex((_, i) => find(text, path.slice(0, i)) !== undefined);
	const rest = nested(path.slice(known + 1), value);
	return insert(text, /** @type {Node} */ (find(text, path.slice(0, known))), [String(path[known]), rest]);
}

/**
 * @param {string} text
 * @param {string[]} path
 */
export function remove(text, path) {
	const at = find(text, path);
	return at?.parent ? removeChild(text, at.parent) : text;
}

/**
 * What is written there, comments too.
 *
 * @param {string} text
 * @param {string[]} path
 */
export function textOf(text, path) {
	const at = find(text, path);
	return at && text.slice(at.offset, at.offset + at.length);
}

/**
 * @param {string} text
 * @param {string[]} path of a list, which need not be there
 * @param {unknown} value
 */
export function append(text, path, value) {
	const list = find(text, path);
	return list ? insert(text, list, [undefined, value]) : set(text, path, [value]);
}

/**
 * @param {string} text
 * @param {string[]} path
 * @param {number} index
 */
export function removeItem(text, path, index) {
	const item = find(text, path)?.children?.[index];
	return item ? removeChild(text, item) : text;
}

/**
 * @param {string} text
 * @param {string[]} path
 */
function find(text, path) {
	const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
	return root && jsonc.findNodeAtLocation(root, path);
}

/**
 * @param {string[]} path
 * @param {unknown} value
 * @returns {unknown}
 */
function nested(path, value) {
	return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/**
 * Behind the last child, and behind the comment on its line.
 *
 * @param {string} text
 * @param {Node} into
 * @param {[string | undefined, unknown]} child
 */
function insert(text, into, [key, value]) {
	const eol = lineEndOf(text);
	const outer = indentAt(text, into.offset);
	const last = into.children?.at(-1);
	const first = into.children?.[0];
	const end = into.offset + into.length - 1;
	const onOwnLine = first && text.slice(startOfLine(text, first.offset), first.offset).trim() === "";
	const indent = onOwnLine ? indentAt(text, first.offset) : outer + unitOf(text);
	const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
	const written = `${eol}${indent}${name}${write(value, text, indent)}`;
	if (!last) {
		const inner = text.slice(into.offset + 1, end).trimEnd();
		return splice(text, into.offset + 1 + inner.length, end, `${written}${eol}${outer}`);
	}
	const { comma, lineEnd } = behind(text, last.offset + last.length, end);
	const onOneLine = !text.slice(into.offset, end).includes("\n");
	const entry = onOneLine ? ` ${name}${JSON.stringify(value)}` : written;
	const result = splice(text, lineEnd, lineEnd, entry + (comma === undefined ? "" : ","));
	return comma === undefined ? splice(result, last.offset + last.length, last.offset + last.length, ",") : result;
}

/**
 * What follows a child: its comma, and where its line ends, comments included.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} end where its parent closes
 */
function behind(text, from, end) {
	const scanner = jsonc.createScanner(text, false);
	scanner.setPosition(from);
	/** @type {number | undefined} */
	let comma;
	let lineEnd = from;
	let sameLine = true;
	for (let token = scanner.scan(); scanner.getTokenOffset() < end; token = scanner.scan()) {
		if (token === SyntaxKind.LineBreakTrivia) sameLine = false;
		if (token === SyntaxKind.CommaToken) {
			comma = scanner.getTokenOffset();
			if (!sameLine) lineEnd = comma + 1;
			sameLine = true;
		}
		if (sameLine && token !== SyntaxKind.Trivia) lineEnd = scanner.getTokenOffset() + scanner.getTokenLength();
	}
	return { comma, lineEnd };
}

/** jsonc-parser's own numbers: its enum is not there at run time. */
const SyntaxKind = {
	OpenBraceToken: 1,
	CloseBraceToken: 2,
	OpenBracketToken: 3,
	CloseBracketToken: 4,
	CommaToken: 5,
	LineBreakTrivia: 14,
	Trivia: 15,
	EOF: 17,
};

/**
 * With its comma, or, where it is the last, the comma before it; with its lines, where nothing else is on them.
 *
 * @param {string} text
 * @param {Node} child
 */
function removeChild(text, child) {
	const siblings = child.parent?.children ?? [];
	const index = siblings.indexOf(child);
	const next = siblings[index + 1];
	const close = child.parent ? child.parent.offset + child.parent.length - 1 : text.length;
	const end = child.offset + child.length;
	const { comma } = behind(text, end, next?.offset ?? close);
	let [from, to] = [child.offset, comma === undefined ? end : comma + 1];
	const line = startOfLine(text, from);
	const after = nextLine(text, to);
	if (text.slice(line, from).trim() === "" && text.slice(to, after).trim() === "") [from, to] = [line, after];
	else if (next) to += /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
	const before = siblings[index - 1];
	const result = splice(text, from, to);
	if (comma !== undefined || !before) return result;
	const { comma: previous } = behind(text, before.offset + before.length, child.offset);
	return previous === undefined ? result : splice(result, previous, previous + 1);
}

/** How far the file indents: as its first indented line does. @param {string} text */
function unitOf(text) {
	return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}

/**
 * @param {unknown} value
 * @param {string} text
 * @param {string} indent
 */
function write(value, text, indent) {
	return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `${lineEndOf(text)}${indent}`);
}
