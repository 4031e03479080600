import { isDeepStrictEqual } from "node:util";

export const meta = {
	description:
		"Create a record in a PocketBase collection, read it back and say whether every field was stored as asked (confirmed: true or false)",
	args: "collection, data: the record's fields by name",
	inputSchema: {
		type: "object",
		properties: {
			collection: { type: "string", pattern: "^[A-Za-z0-9_]+$", description: "The collection's name" },
			data: {
				type: "object",
				minProperties: 1,
				description: "The record's fields by name, as list_collections shows them",
			},
		},
		required: ["collection", "data"],
		additionalProperties: false,
	},
};

/** PocketBase never shows them. */
const HIDDEN = ["password", "passwordConfirm"];

/**
 * @param {any} adapter
 * @param {{collection: string, data: Record<string, unknown>}} args
 */
export async function run(adapter, { collection, data }) {
	const { id } = read("create_record", await adapter.call("create_record", { collection, data }));
	const record = read(
		"get_record",
		await adapter.call("get_record", { collection, id }),
		`The record ${id} was created; only reading it back failed.`,
	);
	const differences = Object.entries(data)
		.filter(([field, sent]) => !HIDDEN.includes(field) && !isSame(sent, record[field]))
		.map(([field, sent]) => ({ field, sent, stored: record[field] ?? null }));
	return { confirmed: differences.length === 0, differences, record };
}

/** @param {unknown} sent @param {unknown} stored */
function isSame(sent, stored) {
	if (isDeepStrictEqual(sent, stored)) return true;
	// PocketBase writes every date in its own way.
	const isDate = typeof stored === "string" && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/.test(stored);
	return isDate && typeof sent === "string" && instant(sent) === Date.parse(stored);
}

/** @param {string} text a date, which is in UTC where it says no zone */
function instant(text) {
	return Date.parse(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${text}Z` : text);
}

/**
 * What PocketBase answered; what it says about a refusal is thrown.
 *
 * @param {string} stage the tool
 * @param {{content: {text?: string}[], isError?: boolean}} reply
 * @param {string} [hint]
 */
function read(stage, { content, isError }, hint) {
	const text = content[0]?.text ?? "null";
	if (isError) throw Object.assign(new Error(`${stage} failed: ${text}`), { stage, hint });
	return JSON.parse(text);
}
