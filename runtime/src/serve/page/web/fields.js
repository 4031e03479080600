// One field for each value of a schema: what it is called, what it means, and what is wrong with it.

import { el, show } from "./dom.js";
import { isRequired, namesOf, plain, shapeOf, wrongWith } from "./schema.js";

/**
 * @typedef {import("./schema.js").Schema} Schema
 * @typedef {{value?: unknown, wrong?: string}} Read nothing when it is left out
 *
 * @typedef {object} Field
 * @property {string} path of property names
 * @property {HTMLElement} element
 * @property {() => boolean} check shows what is wrong; says whether nothing is
 * @property {() => unknown} value undefined when it is left out
 * @property {(value: unknown) => void} fill
 * @property {(message: string) => void} complain
 * @property {Field[]} inner
 *
 * @typedef {{name: string, path: string, schema: Schema, root: Schema, required: boolean, depth: number}} Place
 * @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Input
 */

/** Texts of these are longer than a line. */
const LONG = /body|content|text|message|description|query|code|prompt/i;
let ids = 0;

/**
 * @param {Place} place
 * @returns {Field}
 */
export function fieldOf(place) {
	const schema = plain(place.schema, place.root);
	const shape = shapeOf(schema, place.root, place.depth);
	const known = { ...place, schema };
	if (shape === "object") return groupOf(known);
	return inputOf(known, shape);
}

/**
 * The fields of an object's properties.
 *
 * @param {Schema} schema
 * @param {Schema} root
 * @param {string} above the path
 * @param {number} depth
 */
export function fieldsOf(schema, root, above, depth) {
	return namesOf(schema).map((name) => {
		const path = above === "" ? name : `${above}.${name}`;
		return fieldOf({ name, path, schema: schema.properties[name], root, required: isRequired(schema, name), depth });
	});
}

/**
 * What the fields hold, without what is left out.
 *
 * @param {Field[]} fields
 */
export function valuesOf(fields) {
	/** @type {Record<string, unknown>} */
	const values = {};
	for (const field of fields) {
		const value = field.value();
		if (value !== undefined) values[nameOf(field)] = value;
	}
	return values;
}

/** @param {Field} field */
export function nameOf(field) {
	return field.element.dataset.name ?? "";
}

/**
 * @param {Place} place
 * @returns {Field}
 */
function groupOf({ name, path, schema, root, required, depth }) {
	const inner = fieldsOf(schema, root, path, depth + 1);
	const wrong = el("p", { class: "wrong", role: "alert" });
	const element = el(
		"fieldset",
		{ "data-name": name, "data-path": path },
		el("legend", {}, name, mark(required)),
		schema.description && el("p", { class: "quiet" }, schema.description),
		wrong,
		...inner.map((field) => field.element),
	);
	const value = () => {
		const values = valuesOf(inner);
		return Object.keys(values).length > 0 || required ? values : undefined;
	};
	return {
		path,
		element,
		inner,
		value,
		// An object that is left out lacks nothing.
		check: () => (value() === undefined ? clear(inner) : inner.map((field) => field.check()).every(Boolean)),
		fill: (values) => {
			for (const field of inner) field.fill(/** @type {any} */ (values)?.[nameOf(field)]);
		},
		complain: (message) => show(wrong, message),
	};
}

/** @param {Field[]} fields */
function clear(fields) {
	for (const field of fields) field.complain("");
	return true;
}

/**
 * @param {Place} place
 * @param {import("./schema.js").Shape} shape
 * @returns {Field}
 */
function inputOf({ name, path, schema, root, required }, shape) {
	ids += 1;
	const id = `field-${ids}`;
	const wrong = el("p", { class: "wrong", id: `${id}-wrong`, role: "alert" });
	const input = elementOf(id, name, schema, shape);
	const note = noteOf(schema, shape);
	input.setAttribute("aria-describedby", `${id}-note ${id}-wrong`);
	if (required) input.setAttribute("aria-required", "true");
	const element = el(
		"div",
		{ class: "field", "data-name": name, "data-path": path },
		el("label", { for: id }, name, mark(required)),
		el("p", { class: "quiet", id: `${id}-note` }, ...note),
		input,
		wrong,
	);
	const complain = (/** @type {string} */ message) => {
		show(wrong, message);
		input.setAttribute("aria-invalid", String(message !== ""));
	};
	const read = () => readInput(input.value, schema, root, shape, required);
	const check = () => {
		const message = read().wrong ?? "";
		complain(message);
		return message === "";
	};
	// Never when the field is left: the button that is being clicked would move away.
	input.addEventListener("input", () => {
		if (input.getAttribute("aria-invalid") === "true") check();
	});
	const fill = (/** @type {unknown} */ value) => {
		input.value = written(value, shape);
		complain("");
	};
	if (schema.default !== undefined) fill(schema.default);
	return { path, element, inner: [], check, complain, fill, value: () => read().value };
}

/** @param {boolean} required */
function mark(required) {
	return required && el("span", { class: "required" }, " required");
}

/**
 * @param {string} id
 * @param {string} name
 * @param {Schema} schema
 * @param {import("./schema.js").Shape} shape
 * @returns {Input}
 */
function elementOf(id, name, schema, shape) {
	if (shape === "choice" || shape === "boolean") {
		const values = shape === "boolean" ? [true, false] : (schema.enum ?? [schema.const]);
		const choices = values.map((/** @type {unknown} */ value) =>
			el("option", { value: written(value, shape) }, String(value)),
		);
		return el("select", { id }, el("option", { value: "" }, "not set"), ...choices);
	}
	const long = shape === "list" || shape === "json" || (shape === "text" && LONG.test(name));
	if (long) return el("textarea", { id, rows: shape === "text" ? 2 : 3, spellcheck: "false" });
	const numeric = shape === "number" || shape === "integer";
	return el("input", {
		id,
		type: "text",
		inputmode: numeric ? "decimal" : undefined,
		autocomplete: "off",
		spellcheck: "false",
	});
}

/**
 * @param {Schema} schema
 * @param {import("./schema.js").Shape} shape
 */
function noteOf(schema, shape) {
	const kinds = { list: "One value a line.", json: "JSON.", number: "A number.", integer: "A whole number." };
	const kind = /** @type {Record<string, string>} */ (kinds)[shape];
	const fallback = schema.default === undefined ? undefined : `Default: ${JSON.stringify(schema.default)}.`;
	return [[sentence(schema.description), kind, fallback].filter(Boolean).join(" ")];
}

/** @param {unknown} text */
function sentence(text) {
	if (typeof text !== "string" || text.trim() === "") return undefined;
	return /[.!?:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

/**
 * @param {unknown} value
 * @param {import("./schema.js").Shape} shape
 */
function written(value, shape) {
	if (value === undefined) return "";
	if (shape === "text") return typeof value === "string" ? value : JSON.stringify(value);
	if (shape === "list" && Array.isArray(value)) return value.join("\n");
	return JSON.stringify(value, null, shape === "json" ? 2 : 0);
}

/**
 * @param {string} text
 * @param {Schema} schema
 * @param {Schema} root
 * @param {import("./schema.js").Shape} shape
 * @param {boolean} required
 * @returns {Read}
 */
function readInput(text, schema, root, shape, required) {
	if (text.trim() === "") return required ? { wrong: "this is needed" } : {};
	const read = parsed(text, schema, root, shape);
	if (read.wrong) return read;
	const wrong = wrongWith(read.value, schema);
	return wrong ? { wrong } : read;
}

/**
 * @param {string} text
 * @param {Schema} schema
 * @param {Schema} root
 * @param {import("./schema.js").Shape} shape
 * @returns {Read}
 */
function parsed(text, schema, root, shape) {
	if (shape === "text") return { value: text };
	if (shape === "number" || shape === "integer") return numberOf(text, shape);
	if (shape === "list") {
		const items = plain(schema.items, root);
		const read = text
			.split("\n")
			.filter((line) => line.trim() !== "")
			.map((line) => readInput(line, items, root, shapeOf(items, root, 0), true));
		const wrong = read.findIndex((item) => item.wrong);
		if (wrong >= 0) return { wrong: `line ${wrong + 1}: ${read[wrong]?.wrong}` };
		return { value: read.map((item) => item.value) };
	}
	try {
		return { value: JSON.parse(text) };
	} catch {
		return { wrong: "this is no JSON: texts stand in double quotes, and nothing follows the last comma" };
	}
}

/**
 * @param {string} text
 * @param {"number" | "integer"} shape
 * @returns {Read}
 */
function numberOf(text, shape) {
	const value = Number(text);
	if (!Number.isFinite(value)) return { wrong: `this must be a ${shape === "integer" ? "whole number" : "number"}` };
	if (shape === "number") return { value };
	if (!Number.isInteger(value)) return { wrong: "this must be a whole number" };
	if (!Number.isSafeInteger(value))
		return { wrong: "this number is too long for a page to keep; make the call elsewhere" };
	return { value };
}
