import { typesOf } from "../call/value.js";
import { shellWord } from "../shell-word.js";

/** @typedef {import("../offers.js").Schema} Schema */

/**
 * A command line that calls it, with what it cannot do without. What stands for a value is in capitals.
 *
 * @param {Pick<import("../describe.js").Described, "plugin" | "kind" | "name" | "needsConfirm" | "inputSchema">} described
 */
export function exampleOf({ plugin, kind, name, needsConfirm, inputSchema }) {
	const { properties = {}, required = [] } = inputSchema;
	const args = required.map(
		(key) => `--arg ${shellWord(`${key}=${sample(/** @type {Schema} */ (properties[key]), key)}`)}`,
	);
	const verb = kind === "skill" ? "skill" : "call";
	return ["agent-tools", verb, plugin, shellWord(name), ...args, ...(needsConfirm ? ["--confirm"] : [])].join(" ");
}

/**
 * @param {Schema | undefined} schema
 * @param {string} key
 * @returns {string}
 */
function sample(schema, key) {
	const { default: usual, enum: choices, examples, const: only } = schema ?? {};
	const given = [only, usual, [examples].flat()[0], [choices].flat()[0]].find((value) => value !== undefined);
	if (given !== undefined) return typeof given === "string" ? given : JSON.stringify(given);
	const types = typesOf(schema);
	if (types.includes("string") || types.length === 0) return key.toUpperCase();
	if (types.includes("integer") || types.includes("number")) return String(schema?.minimum ?? 1);
	if (types.includes("boolean")) return "true";
	return types.includes("array") ? "[…]" : "{…}";
}
