import { UsageError } from "../usage-error.js";

/** @typedef {import("../offers.js").Schema} Schema */

/**
 * The types that a schema allows; none where it does not say.
 *
 * @param {Schema | undefined} schema
 * @returns {string[]}
 */
export function typesOf(schema) {
	if (schema === undefined) return [];
	const { type, enum: choices, const: only, properties, items } = schema;
	if (type !== undefined) return [type].flat().map(String);
	const values = Array.isArray(choices) ? choices : only === undefined ? [] : [only];
	if (values.length > 0) return [...new Set(values.map(typeOf))];
	const others = [schema.anyOf, schema.oneOf].flat().filter((other) => typeof other === "object" && other !== null);
	if (others.length > 0) return [...new Set(others.flatMap((other) => typesOf(/** @type {Schema} */ (other))))];
	return [...(properties ? ["object"] : []), ...(items ? ["array"] : [])];
}

/** @param {unknown} value */
function typeOf(value) {
	if (value === null) return "null";
	return Array.isArray(value) ? "array" : typeof value;
}

/**
 * A value of the command line, read as its schema wants it. Where a text fits it stays one: `007` is no number then.
 *
 * @param {string} text
 * @param {Schema | undefined} schema
 * @param {string} name
 * @returns {unknown}
 */
export function readValue(text, schema, name) {
	const types = typesOf(schema);
	const json = jsonOf(text);
	if (types.length === 0) return json === undefined ? text : json.value;
	if (json && (types.includes("object") || types.includes("array")) && types.includes(typeOf(json.value))) {
		return json.value;
	}
	if (types.includes("string")) return text;
	if (json && fits(json.value, types)) return exact(json.value, text, name);
	throw new UsageError(`--arg ${name} must be ${types.map(named).join(" or ")}, not \`${text}\``);
}

/**
 * @param {unknown} value
 * @param {string[]} types
 */
function fits(value, types) {
	return types.includes(typeOf(value)) || (types.includes("integer") && Number.isInteger(value));
}

/**
 * @param {unknown} value
 * @param {string} text
 * @param {string} name
 */
function exact(value, text, name) {
	if (typeof value !== "number" || !/^-?\d+$/.test(text) || Number.isSafeInteger(value)) return value;
	throw new UsageError(`--arg ${name}: ${text} is more than a number holds exactly`);
}

/** @param {string} text */
function jsonOf(text) {
	try {
		return { value: JSON.parse(text) };
	} catch {
		return undefined;
	}
}

/** @type {Record<string, string>} */
const NAMES = { boolean: "`true` or `false`", integer: "a whole number", object: "a JSON object", null: "`null`" };

/** @param {string} type */
function named(type) {
	return NAMES[type] ?? `a ${type}`;
}
