import { call, refusal } from "./call.mjs";
import { onlyOne } from "./names.mjs";
import { listAll } from "./pages.mjs";

/**
 * @typedef {import("./call.mjs").Adapter} Adapter
 * @typedef {{id: string, name: string, columns: {name: string, type: string}[]}} DataTable
 * @typedef {Record<string, unknown>} Row
 */

/** So many rows are read back in one request. */
const READ_AT_ONCE = 50;

export const TABLE = {
	dataTableId: { type: "string", minLength: 1, description: "Id of the data table" },
	tableName: { type: "string", minLength: 1, description: "Its name, instead of the id" },
};

/**
 * The table that is meant, by id or by its whole name.
 *
 * @param {Adapter} adapter
 * @param {{dataTableId?: string, tableName?: string}} args
 * @returns {Promise<DataTable>}
 */
export async function findTable(adapter, { dataTableId, tableName }) {
	if ((dataTableId === undefined) === (tableName === undefined)) throw refusal("Give either dataTableId or tableName.");
	if (tableName === undefined) return call(adapter, "get_data_table", { dataTableId });
	/** @type {{items: DataTable[]}} */
	const { items } = await listAll(adapter, "list_data_tables", {}, { keep: ({ name }) => name === tableName });
	return onlyOne(items, "data table", tableName);
}

/**
 * Inserts rows and reads them back: `confirmed` where every value was stored as it was given.
 *
 * @param {Adapter} adapter
 * @param {DataTable} table
 * @param {Row[]} rows
 */
export async function insertAndRead(adapter, { id: dataTableId, name, columns }, rows) {
	const unknown = [...new Set(rows.flatMap(Object.keys))].filter(
		(key) => !columns.some((column) => column.name === key),
	);
	if (unknown.length > 0) {
		const known = columns.map((column) => `${column.name} (${column.type})`).join(", ");
		throw refusal(
			`The data table ${name} has no column ${unknown.join(", ")}; it has ${known || "none"}. Nothing was inserted.`,
		);
	}
	// Numbers, as n8n's own description has it; in truth they are objects.
	/** @type {(number | {id: number})[]} */
	const inserted = await call(adapter, "insert_data_table_rows", { dataTableId, data: rows, returnType: "id" });
	const ids = inserted.map((one) => (typeof one === "object" ? one.id : one));
	const stored = await readRows(adapter, dataTableId, ids);
	const confirmed = ids.length === rows.length && rows.every((row, index) => holds(stored.get(ids[index]), row));
	return {
		confirmed,
		dataTableId,
		table: name,
		inserted: ids.length,
		rows: ids.map((id) => stored.get(id) ?? { id, missing: true }),
	};
}

/**
 * @param {Adapter} adapter
 * @param {string} dataTableId
 * @param {number[]} ids
 * @returns {Promise<Map<number | undefined, Row>>}
 */
async function readRows(adapter, dataTableId, ids) {
	const found = new Map();
	for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
		const filters = ids
			.slice(start, start + READ_AT_ONCE)
			.map((id) => ({ columnName: "id", condition: "eq", value: id }));
		const args = { dataTableId, filter: { type: "or", filters }, limit: READ_AT_ONCE };
		/** @type {{data: Row[]}} */
		const { data } = await call(adapter, "list_data_table_rows", args);
		for (const row of data) found.set(row.id, row);
	}
	return found;
}

/**
 * @param {Row | undefined} stored
 * @param {Row} given
 */
function holds(stored, given) {
	return stored !== undefined && Object.entries(given).every(([key, value]) => isSame(stored[key], value));
}

/**
 * n8n stores a value in the type of its column: "3" becomes 3, a date one form of that date.
 *
 * @param {unknown} stored
 * @param {unknown} given
 */
function isSame(stored, given) {
	if (stored === given || (stored ?? null) === (given ?? null)) return true;
	if (stored === null || given === null) return false;
	if (String(stored) === String(given)) return true;
	const isDate = typeof stored === "string" && /^\d{4}-\d\d-\d\dT/.test(stored) && typeof given === "string";
	return isDate && Date.parse(stored) === Date.parse(given);
}
