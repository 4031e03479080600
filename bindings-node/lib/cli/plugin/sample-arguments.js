/** Deeper than any example is read. */
const DEEPEST = 6;

const FORMATS = {
	date: "2026-01-31",
	"date-time": "2026-01-31T12:00:00Z",
	time: "12:00:00Z",
	email: "someone@example.com",
	hostname: "example.com",
	ipv4: "192.0.2.1",
	ipv6: "2001:db8::1",
	uri: "https://example.com/",
	uuid: "00000000-0000-4000-8000-000000000000",
};

/** @typedef {Record<string, any>} Schema */

/**
 * Arguments that a tool's schema allows, as far as can be told: those that it requires.
 *
 * @param {Schema} schema
 * @returns {Record<string, unknown>}
 */
export function sampleArguments(schema) {
	const { confirm: _, ...properties } = schema.properties ?? {};
	return object({ ...schema, properties }, schema, 0);
}

/**
 * @param {Schema} schema
 * @param {Schema} root
 * @param {number} depth
 * @returns {unknown}
 */
function sample(schema, root, depth) {
	if (typeof schema !== "object" || schema === null || depth > DEEPEST) return "example";
	if ("const" in schema) return schema.const;
	for (const given of [schema.default, schema.example, schema.examples?.[0], schema.enum?.[0]]) {
		if (given !== undefined && given !== null) return given;
	}
	const chosen = referred(schema, root) ?? schema.anyOf?.[0] ?? schema.oneOf?.[0];
	if (chosen) return sample(chosen, root, depth + 1);
	if (schema.allOf) return sample(merged(schema, root), root, depth + 1);
	const type = Array.isArray(schema.type)
		? schema.type.find((/** @type {string} */ one) => one !== "null")
		: schema.type;
	switch (type ?? (schema.properties ? "object" : "string")) {
		case "object":
			return object(schema, root, depth);
		case "array":
			return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => sample(schema.items, root, depth + 1));
		case "integer":
		case "number":
			return number(schema);
		case "boolean":
			return false;
		case "null":
			return null;
		default:
			return text(schema);
	}
}

/**
 * @param {Schema} schema
 * @param {Schema} root
 * @param {number} depth
 */
function object({ properties = {}, required = [] }, root, depth) {
	/** @type {[string, unknown][]} */
	const entries = required.map((/** @type {string} */ key) => [key, sample(properties[key] ?? {}, root, depth + 1)]);
	return Object.fromEntries(entries);
}

/** @param {Schema} schema */
function number({ minimum, exclusiveMinimum, maximum, multipleOf }) {
	if (multipleOf) return Math.ceil((minimum ?? exclusiveMinimum + 1) / multipleOf || 1) * multipleOf;
	return minimum ?? (typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : Math.min(1, maximum ?? 1));
}

/** @param {Schema} schema */
function text({ format, minLength = 0, maxLength = Number.POSITIVE_INFINITY }) {
	/** @type {Record<string, string>} */
	const formats = FORMATS;
	return (formats[format] ?? "example").padEnd(minLength, "x").slice(0, maxLength);
}

/**
 * @param {Schema} schema
 * @param {Schema} root
 * @returns {Schema | undefined}
 */
function referred({ $ref }, root) {
	if (typeof $ref !== "string" || !$ref.startsWith("#/")) return undefined;
	/** @type {any} */
	let at = root;
	for (const key of $ref.slice(2).split("/")) at = at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")];
	return at;
}

/**
 * @param {Schema} schema
 * @param {Schema} root
 */
function merged({ allOf, ...rest }, root) {
	const parts = [rest, ...allOf.map((/** @type {Schema} */ part) => referred(part, root) ?? part)];
	return {
		...Object.assign({}, ...parts),
		properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
		required: parts.flatMap(({ required = [] }) => required),
	};
}
