import { isDeepStrictEqual } from "node:util";
import { AgentToolsError } from "../../agent-tools-error.js";
import { formats } from "./formats/formats.js";
import * as json from "./formats/json.js";
import { BrokenText, isTable, UnsafeEdit } from "./formats/text.js";

/**
 * A value in a file: an entry of a table by its path, or one item more of a list.
 *
 * @typedef {object} Edit
 * @property {import("./formats/formats.js").FormatName} format
 * @property {string[]} path
 * @property {unknown} value
 * @property {string[]} [others] keys of the entry that make no sense beside these
 * @property {boolean} [item]
 *
 * @typedef {object} Edited
 * @property {string} text
 * @property {unknown} [previous] what stood there
 * @property {string[]} [made] the path of the table that was not there before
 */

/**
 * @param {string} file for what goes wrong
 * @param {string} text
 * @param {Edit} edit
 * @returns {Edited}
 */
export function apply(file, text, edit) {
	return guarded(file, text, edit, (before) => {
		const [container] = /** @type {[string]} */ (edit.path);
		const table = at(before, [container]);
		const made = table === undefined ? { made: [container] } : {};
		if (edit.item) {
			if (table !== undefined && !Array.isArray(table)) throw new BrokenText(`\`${container}\` is no list`);
			const after = json.append(text, edit.path, edit.value);
			check(edit, after, { ...before, [container]: [...(table ?? []), edit.value] });
			return { text: after, ...made };
		}
		const format = formats[edit.format];
		if (table !== undefined && table !== null && !isTable(table)) throw new BrokenText(`\`${container}\` is no table`);
		const previous = at(before, edit.path);
		if (previous === undefined) {
			const after = format.set(text, edit.path, edit.value);
			check(edit, after, put(before, edit.path, edit.value));
			return { text: after, ...made };
		}
		if (!isTable(previous)) throw new BrokenText(`\`${edit.path.join(".")}\` is no table`);
		const after = changed(format, text, edit, previous);
		check(edit, after, put(before, edit.path, merged(previous, edit)));
		return { text: after, previous };
	});
}

/**
 * Takes out what `apply` has put in, or puts back what stood there.
 *
 * @param {string} file
 * @param {string} text
 * @param {Edit} edit
 * @param {{previous?: unknown, made?: string[]}} was
 * @returns {string | undefined} undefined where it is not there as it was written
 */
export function revert(file, text, edit, { previous, made }) {
	return guarded(file, text, edit, (before) => {
		const format = formats[edit.format];
		const there = at(before, edit.path);
		if (edit.item) {
			const index = Array.isArray(there) ? there.indexOf(edit.value) : -1;
			if (index < 0) return undefined;
			const rest = /** @type {unknown[]} */ (there).toSpliced(index, 1);
			const after = json.removeItem(text, edit.path, index);
			check(edit, after, { ...before, [String(edit.path[0])]: rest });
			return made && rest.length === 0 ? json.remove(after, made) : after;
		}
		const written = previous === undefined ? edit.value : merged(previous, edit);
		if (there === undefined || !isDeepStrictEqual(plain(there), plain(written))) return undefined;
		if (previous !== undefined) {
			const after = changed(format, text, { ...edit, value: previous, others: extra(there, previous) }, Object(there));
			check(edit, after, put(before, edit.path, previous));
			return after;
		}
		const after = format.remove(text, edit.path);
		const container = /** @type {string} */ (edit.path[0]);
		const alone = Object.keys(Object(before[container])).length === 1;
		check(edit, after, put(before, edit.path, undefined));
		return alone && made ? format.remove(after, made) : after;
	});
}

/**
 * Whether something stands there, as it was written or not.
 *
 * @param {string} file
 * @param {string} text
 * @param {Edit} edit
 */
export function isThere(file, text, edit) {
	return guarded(file, text, edit, (before) => {
		const there = at(before, edit.path);
		return edit.item ? Array.isArray(there) && there.includes(edit.value) : there !== undefined;
	});
}

/** @param {unknown} previous @param {Edit} edit */
function merged(previous, { value, others = [] }) {
	const kept = Object.entries(Object(previous)).filter(([key]) => !others.includes(key));
	return { ...Object.fromEntries(kept), ...Object(value) };
}

/** @param {unknown} there @param {unknown} wanted */
function extra(there, wanted) {
	return Object.keys(Object(there)).filter((key) => !Object.hasOwn(Object(wanted), key));
}

/**
 * Key by key: what else the user has put into the entry stays.
 *
 * @param {import("./formats/formats.js").Format} format
 * @param {string} text
 * @param {Edit} edit
 * @param {Record<string, unknown>} previous
 */
function changed(format, text, { path, value, others = [] }, previous) {
	let after = text;
	for (const [key, wanted] of Object.entries(Object(value))) {
		if (!isDeepStrictEqual(plain(at(previous, [key])), plain(wanted)))
			after = format.set(after, [...path, key], wanted);
	}
	for (const key of others.filter((other) => Object.hasOwn(previous, other)))
		after = format.remove(after, [...path, key]);
	return after;
}

/**
 * The rest of the file must mean what it meant before.
 *
 * @param {Edit} edit
 * @param {string} after
 * @param {unknown} expected
 */
function check({ format }, after, expected) {
	/** @type {unknown} */
	let value;
	try {
		value = formats[format].parse(after);
	} catch {
		throw new UnsafeEdit();
	}
	if (!isDeepStrictEqual(plain(value), plain(expected))) throw new UnsafeEdit();
}

/**
 * @template T
 * @param {string} file
 * @param {string} text
 * @param {Edit} edit
 * @param {(before: Record<string, unknown>) => T} work
 */
function guarded(file, text, edit, work) {
	try {
		return work(formats[edit.format].parse(text));
	} catch (error) {
		if (error instanceof BrokenText) throw brokenFile(file, error);
		if (error instanceof UnsafeEdit) {
			throw new AgentToolsError(
				"FILE_UNUSUAL",
				`${file} is written in a way that cannot be edited without touching the rest`,
				{
					hint: `Nothing was written. Put this into it yourself:\n${snippet(edit)}`,
				},
			);
		}
		throw error;
	}
}

/**
 * @param {string} file
 * @param {BrokenText} error
 */
export function brokenFile(file, error) {
	const where = error.line === undefined ? file : `${file}, ${error.position}`;
	return new AgentToolsError("FILE_BROKEN", `${where}: ${error.message}`, {
		hint: "Nothing was written. Correct the file, and run this again.",
	});
}

/** What a person would paste. @param {Edit} edit */
export function snippet({ format, path, value, item }) {
	return item ? json.append("", path, value) : formats[format].set("", path, value);
}

/** @param {unknown} value @param {string[]} path */
export function at(value, path) {
	return path.reduce(
		(/** @type {unknown} */ inner, key) => (isTable(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
		value,
	);
}

/**
 * @param {Record<string, unknown>} root
 * @param {string[]} path `[container, name]`
 * @param {unknown} value undefined to leave it out
 */
function put(root, path, value) {
	const [container, name] = /** @type {[string, string]} */ (path);
	const { [name]: _, ...rest } = /** @type {Record<string, unknown>} */ (root[container] ?? {});
	return { ...root, [container]: value === undefined ? rest : { ...rest, [name]: value } };
}

/**
 * Without a parser's prototypes, and with an empty table as none: an entry's table goes with it.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
function plain(value) {
	if (Array.isArray(value)) return value.map(plain);
	if (value instanceof Date || !isTable(value)) return value ?? undefined;
	const entries = Object.entries(value)
		.map(([key, inner]) => /** @type {[string, unknown]} */ ([key, plain(inner)]))
		.filter(([, inner]) => inner !== undefined);
	return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
