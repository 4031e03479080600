// What of a JSON Schema a form can show. Everything else is written as JSON, and checked by the server like all of it.

/** @typedef {Record<string, any>} Schema */
/** @typedef {"text" | "number" | "integer" | "boolean" | "choice" | "list" | "object" | "json"} Shape */

/** References that lead to references. */
const DEEPEST = 10;
/** Objects inside of objects that are shown as fields. */
const LEVELS = 3;

/**
 * The schema that counts: behind references, and without the `null` that only says that it may be left out.
 *
 * @param {unknown} schema
 * @param {Schema} root
 * @returns {Schema}
 */
export function plain(schema, root) {
	let current = asSchema(schema);
	for (let step = 0; step < DEEPEST; step++) {
		const next = oneStep(current, root);
		if (!next) break;
		const { $ref, anyOf, oneOf, allOf, ...beside } = current;
		current = { ...next, ...beside };
	}
	return current;
}

/**
 * @param {Schema} schema
 * @param {Schema} root
 * @returns {Schema | undefined}
 */
function oneStep(schema, root) {
	if (typeof schema.$ref === "string") return target(schema.$ref, root);
	if (Array.isArray(schema.allOf) && schema.allOf.length === 1) return asSchema(schema.allOf[0]);
	for (const choices of [schema.anyOf, schema.oneOf]) {
		if (!Array.isArray(choices)) continue;
		const others = choices.filter((choice) => asSchema(choice).type !== "null");
		if (others.length === 1 && choices.length > 1) return asSchema(others[0]);
	}
	return undefined;
}

/**
 * @param {string} reference
 * @param {Schema} root
 */
function target(reference, root) {
	if (!reference.startsWith("#/")) return undefined;
	/** @type {any} */
	let found = root;
	for (const part of reference.slice(2).split("/")) {
		const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
		found = found && typeof found === "object" && Object.hasOwn(found, key) ? found[key] : undefined;
	}
	return found === undefined ? undefined : asSchema(found);
}

/**
 * How a value of the schema is put in.
 *
 * @param {Schema} schema
 * @param {Schema} root
 * @param {number} depth
 * @returns {Shape}
 */
export function shapeOf(schema, root, depth) {
	const choices = schema.enum ?? (Object.hasOwn(schema, "const") ? [schema.const] : undefined);
	if (Array.isArray(choices)) return choices.every(isScalar) ? "choice" : "json";
	if (schema.anyOf || schema.oneOf || schema.allOf || schema.$ref) return "json";
	switch (typeOf(schema)) {
		case "string":
			return "text";
		case "number":
			return "number";
		case "integer":
			return "integer";
		case "boolean":
			return "boolean";
		case "array":
			return ["text", "number", "integer"].includes(shapeOf(plain(schema.items, root), root, depth)) ? "list" : "json";
		case "object":
			return depth < LEVELS && namesOf(schema).length > 0 ? "object" : "json";
		default:
			return "json";
	}
}

/** @param {Schema} schema */
function typeOf({ type, properties }) {
	const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== "null" && name !== undefined);
	if (types.length === 1) return types[0];
	return types.length === 0 && properties ? "object" : undefined;
}

/** @param {Schema} schema */
export function namesOf(schema) {
	return Object.keys(asSchema(schema.properties));
}

/**
 * @param {Schema} schema
 * @param {string} name
 */
export function isRequired(schema, name) {
	return Array.isArray(schema.required) && schema.required.includes(name);
}

/**
 * @param {unknown} value
 * @returns {Schema}
 */
export function asSchema(value) {
	return value !== null && typeof value === "object" && !Array.isArray(value) ? /** @type {Schema} */ (value) : {};
}

/** @param {unknown} value */
function isScalar(value) {
	return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/**
 * What is wrong with a value, as far as it is simple to say.
 *
 * @param {any} value
 * @param {Schema} schema
 * @returns {string | undefined}
 */
export function wrongWith(value, schema) {
	if (typeof value === "string") {
		if (value.length < (schema.minLength ?? 0)) return `at least ${schema.minLength} characters are needed`;
		if (value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
			return `at most ${schema.maxLength} characters fit`;
		if (schema.pattern && !matches(value, schema.pattern)) return `it must match ${schema.pattern}`;
	}
	if (typeof value === "number") {
		if (value < schema.minimum) return `it must be at least ${schema.minimum}`;
		if (value > schema.maximum) return `it must be at most ${schema.maximum}`;
		if (value <= schema.exclusiveMinimum) return `it must be more than ${schema.exclusiveMinimum}`;
		if (value >= schema.exclusiveMaximum) return `it must be less than ${schema.exclusiveMaximum}`;
	}
	if (Array.isArray(value)) {
		if (value.length < (schema.minItems ?? 0)) return `at least ${schema.minItems} are needed`;
		if (value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) return `at most ${schema.maxItems} are taken`;
	}
	return undefined;
}

/**
 * A pattern that this language cannot read is left to the server.
 *
 * @param {string} value
 * @param {string} pattern
 */
function matches(value, pattern) {
	try {
		return new RegExp(pattern, "u").test(value);
	} catch {
		return true;
	}
}
