// The arguments of a call: as fields made from the schema, or as JSON.

import { el, show } from "./dom.js";
import { fieldsOf, nameOf, valuesOf } from "./fields.js";
import { asSchema, plain } from "./schema.js";

/**
 * @typedef {import("./fields.js").Field} Field
 *
 * @typedef {object} Form
 * @property {HTMLElement} element
 * @property {() => Record<string, unknown> | undefined} read undefined where something is wrong, which is shown
 * @property {(details: string[]) => string[]} complain shows what belongs to a field there, and returns the rest
 */

/**
 * @param {unknown} schema
 * @returns {Form}
 */
export function formOf(schema) {
	const root = asSchema(schema);
	const top = plain(root, root);
	const fields = fieldsOf(top, root, "", 0);
	const asJson = jsonOf();
	const place = el("div", {});
	let json = fields.length === 0 && top.additionalProperties !== false;
	const shown = () => show(place, ...(json ? [asJson.element] : fields.map((field) => field.element)));
	const toggle = el(
		"button",
		{
			type: "button",
			class: "quiet-button",
			"aria-pressed": String(json),
			click: () => {
				if (json ? !toFields(fields, asJson) : !toJson(fields, asJson)) return;
				json = !json;
				toggle.setAttribute("aria-pressed", String(json));
				shown();
			},
		},
		"As JSON",
	);
	shown();
	return {
		element: el("div", {}, fields.length > 0 && el("div", { class: "line" }, toggle), place),
		read: () => (json ? asJson.read() : readFields(fields)),
		complain: (details) => (json ? details : details.filter((detail) => !placed(detail, fields))),
	};
}

/** @param {Field[]} fields */
function readFields(fields) {
	const fine = fields.map((field) => field.check()).every(Boolean);
	if (fine) return valuesOf(fields);
	const first = fields.map((field) => field.element.querySelector('[aria-invalid="true"]')).find(Boolean);
	/** @type {HTMLElement | undefined} */ (first ?? undefined)?.focus();
	return undefined;
}

/**
 * @param {Field[]} fields
 * @param {ReturnType<typeof jsonOf>} asJson
 */
function toJson(fields, asJson) {
	asJson.fill(valuesOf(fields));
	return true;
}

/**
 * Stays as it is where the JSON cannot be read, or has what no field can hold: nothing is lost.
 *
 * @param {Field[]} fields
 * @param {ReturnType<typeof jsonOf>} asJson
 */
function toFields(fields, asJson) {
	const values = asJson.read();
	if (!values) return false;
	const unknown = Object.keys(values).filter((key) => !fields.some((field) => nameOf(field) === key));
	if (unknown.length > 0) {
		asJson.complain(`there is no field for ${unknown.join(", ")}`);
		return false;
	}
	for (const field of fields) field.fill(values[nameOf(field)]);
	return true;
}

function jsonOf() {
	const input = el(
		"textarea",
		{ id: "arguments", rows: 8, spellcheck: "false", "aria-describedby": "arguments-wrong" },
		"{}",
	);
	const wrong = el("p", { class: "wrong", id: "arguments-wrong", role: "alert" });
	const complain = (/** @type {string} */ message) => {
		show(wrong, message);
		input.setAttribute("aria-invalid", String(message !== ""));
		if (message !== "") input.focus();
	};
	return {
		element: el("div", { class: "field" }, el("label", { for: "arguments" }, "Arguments as JSON"), input, wrong),
		complain,
		/** @param {unknown} values */
		fill: (values) => {
			input.value = JSON.stringify(values, null, 2);
			complain("");
		},
		/** @returns {Record<string, unknown> | undefined} */
		read: () => {
			try {
				const values = JSON.parse(input.value.trim() === "" ? "{}" : input.value);
				const isObject = values !== null && typeof values === "object" && !Array.isArray(values);
				complain(isObject ? "" : "the arguments must be an object: {…}");
				return isObject ? values : undefined;
			} catch (error) {
				complain(`this is no JSON: ${/** @type {Error} */ (error).message}`);
				return undefined;
			}
		},
	};
}

/**
 * Shows at its field what the server found wrong with it.
 *
 * @param {string} detail begins with a JSON Pointer: `/labels/0: …`
 * @param {Field[]} fields
 */
function placed(detail, fields) {
	const [, pointer = "", words = detail] = /^\/([^:]*): (.*)$/s.exec(detail) ?? [];
	const path = pointer.replaceAll("/", ".");
	const all = withInner(fields);
	const field = all.find((known) => path === known.path || path.startsWith(`${known.path}.`));
	field?.complain(words);
	return field !== undefined;
}

/**
 * @param {Field[]} fields
 * @returns {Field[]} the innermost first
 */
function withInner(fields) {
	return fields.flatMap((field) => [...withInner(field.inner), field]);
}
