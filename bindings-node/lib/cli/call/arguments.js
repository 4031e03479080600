import { readFileSync } from "node:fs";
import { text as textOf } from "node:stream/consumers";
import { UsageError } from "../usage-error.js";
import { readValue, typesOf } from "./value.js";

/**
 * @typedef {import("../offers.js").Schema} Schema
 * @typedef {Record<string, unknown>} Fields
 */

/**
 * What a tool is called with: the object of `--args`, and over it each `--arg`.
 *
 * @param {{arg?: string[], args?: string}} options
 * @param {Schema} [schema]
 * @returns {Promise<Fields>}
 */
export async function readArguments({ arg = [], args }, schema) {
	const given = args === undefined ? {} : await wholeObject(args);
	/** @type {Fields} */
	const fields = Object.assign(Object.create(null), given);
	/** @type {Set<string>} */
	const repeated = new Set();
	for (const text of arg) setOne(fields, text, schema, repeated);
	return fields;
}

/** @param {string} source JSON, `@file`, or `-` for stdin */
async function wholeObject(source) {
	const text =
		source === "-" ? await textOf(process.stdin) : source.startsWith("@") ? fileText(source.slice(1)) : source;
	const value = parsed(text, "--args");
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	throw new UsageError("--args is no JSON object", `Such as: --args '{"name": "value"}'`);
}

/**
 * @param {Fields} fields
 * @param {string} text `name=value`, `name.field=value`
 * @param {Schema | undefined} schema
 * @param {Set<string>} repeated lists that were begun here, and go on
 */
function setOne(fields, text, schema, repeated) {
	const equals = text.indexOf("=");
	if (equals < 1) throw new UsageError(`--arg ${text} has no value`, "Such as: --arg title='It fails'");
	const name = text.slice(0, equals);
	const raw = text.slice(equals + 1);
	const value = raw.startsWith("@") ? fileText(raw.slice(1)) : raw;

	const path = hasProperty(schema, name) ? [name] : name.split(".");
	const last = String(path.at(-1));
	const { place, schema: own } = placeOf(fields, path, schema);
	const list = place[last];
	if (repeated.has(name) && Array.isArray(list)) {
		list.push(...items(value, own, name));
		return;
	}
	if (repeated.has(name)) throw new UsageError(`--arg ${name} is given twice`);
	repeated.add(name);
	place[last] = typesOf(own).includes("array") ? items(value, own, name) : readValue(value, own, name);
}

/**
 * Where a value belongs: the object that holds it, made where it is missing, and its schema.
 *
 * @param {Fields} fields
 * @param {string[]} path
 * @param {Schema | undefined} root
 */
function placeOf(fields, path, root) {
	let place = fields;
	let schema = childOf(root, String(path[0]), root);
	for (const [depth, name] of path.slice(0, -1).entries()) {
		const inner = place[name] ?? Object.create(null);
		if (typeof inner !== "object" || Array.isArray(inner)) {
			throw new UsageError(`--arg ${path.join(".")}: ${path.slice(0, depth + 1).join(".")} is no object`);
		}
		place[name] = inner;
		place = /** @type {Fields} */ (inner);
		schema = childOf(schema, String(path[depth + 1]), root);
	}
	return { place, schema };
}

/**
 * A list as JSON, or one item of it: `--arg labels=bug --arg labels=urgent`.
 *
 * @param {string} value
 * @param {Schema | undefined} schema
 * @param {string} name
 * @returns {unknown[]}
 */
function items(value, schema, name) {
	if (value.trimStart().startsWith("[")) {
		const list = parsed(value, `--arg ${name}`);
		if (Array.isArray(list)) return list;
	}
	return [readValue(value, /** @type {Schema | undefined} */ (schema?.items), name)];
}

/**
 * @param {Schema | undefined} schema
 * @param {string} name
 * @param {Schema | undefined} root
 * @returns {Schema | undefined}
 */
function childOf(schema, name, root) {
	const child = hasProperty(schema, name) ? schema?.properties?.[name] : undefined;
	return resolved(/** @type {Schema | undefined} */ (child), root);
}

/**
 * What a `$ref` within the schema stands for.
 *
 * @param {Schema | undefined} schema
 * @param {Schema | undefined} root
 * @returns {Schema | undefined}
 */
function resolved(schema, root) {
	const ref = schema?.$ref;
	if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
	/** @type {unknown} */
	let found = root;
	for (const step of ref.slice(2).split("/")) {
		const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
		found = found && typeof found === "object" ? /** @type {Fields} */ (found)[key] : undefined;
	}
	return /** @type {Schema | undefined} */ (found ?? schema);
}

/**
 * @param {Schema | undefined} schema
 * @param {string} name
 */
function hasProperty(schema, name) {
	return Object.hasOwn(schema?.properties ?? {}, name);
}

/** @param {string} file */
function fileText(file) {
	try {
		return readFileSync(file, "utf8");
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new UsageError(`${file} cannot be read: ${why}`, "A text that begins with @ goes into --args, as JSON.");
	}
}

/**
 * @param {string} text
 * @param {string} what
 */
export function parsed(text, what) {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new UsageError(
			`${what} is no JSON: ${error instanceof Error ? error.message : error}`,
			"Put it in single quotes, so that the shell leaves it as it is.",
		);
	}
}
