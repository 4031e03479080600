import { call, refusal } from "../api/call.mjs";
import { findTable, insertAndRead, TABLE } from "../api/data-tables.mjs";

/**
 * @typedef {import("../api/call.mjs").Adapter} Adapter
 * @typedef {import("../api/data-tables.mjs").DataTable} DataTable
 *
 * @typedef {object} Args
 * @property {"create" | "insert" | "read"} operation
 * @property {string} [dataTableId]
 * @property {string} [tableName]
 * @property {{name: string, type: string}[]} [columns]
 * @property {Record<string, unknown>[]} [rows]
 * @property {object} [filter]
 * @property {string} [search]
 * @property {string} [sortBy]
 * @property {number} [limit]
 * @property {string} [cursor]
 */

const READING = ["filter", "search", "sortBy", "limit", "cursor"];
/** What each operation takes besides the table. */
const TAKES = { create: ["columns"], insert: ["rows"], read: READING };

export const meta = {
	description:
		"Create an n8n data table, insert rows into one or read its rows; what was written is read back (confirmed)",
	args: "operation: create (tableName, columns), insert (table, rows) or read (table, filter?, search?, sortBy?, limit?, cursor?)",
	inputSchema: {
		type: "object",
		properties: {
			operation: { type: "string", enum: ["create", "insert", "read"], description: "What to do" },
			...TABLE,
			columns: {
				type: "array",
				minItems: 1,
				description: "Columns of a new table",
				items: {
					type: "object",
					properties: {
						name: { type: "string", pattern: "^[a-zA-Z][a-zA-Z0-9_]*$", maxLength: 63 },
						type: { type: "string", enum: ["string", "number", "boolean", "date"] },
					},
					required: ["name", "type"],
					additionalProperties: false,
				},
			},
			rows: {
				type: "array",
				minItems: 1,
				maxItems: 1000,
				items: { type: "object", minProperties: 1 },
				description: "Rows to insert: values by column",
			},
			filter: {
				type: "object",
				description: 'Which rows to read: {"type": "and", "filters": [{"columnName", "condition": "eq", "value"}]}',
			},
			search: { type: "string", minLength: 1, description: "Text to look for in the rows" },
			sortBy: { type: "string", description: "Such as createdAt:desc" },
			limit: { type: "integer", minimum: 1, maximum: 250, description: "How many rows to read; default: 100" },
			cursor: { type: "string", description: "nextCursor of the page before" },
		},
		required: ["operation"],
		additionalProperties: false,
	},
};

/**
 * @param {Adapter} adapter
 * @param {Args} args
 */
export async function run(adapter, args) {
	const { operation } = args;
	const needed = operation === "read" ? [] : TAKES[operation];
	const missing = needed.filter((key) => !(key in args));
	if (missing.length > 0) throw refusal(`operation ${operation} needs ${missing.join(", ")}.`);
	const stray = Object.values(TAKES)
		.flat()
		.filter((key) => key in args && !TAKES[operation].includes(key));
	if (stray.length > 0) throw refusal(`operation ${operation} does not take ${stray.join(", ")}.`);
	return OPERATIONS[operation](adapter, args);
}

const OPERATIONS = {
	/**
	 * @param {Adapter} adapter
	 * @param {Args} args
	 */
	async create(adapter, { tableName, dataTableId, columns = [] }) {
		if (tableName === undefined || dataTableId !== undefined)
			throw refusal("A new data table has a tableName, and no dataTableId yet.");
		/** @type {DataTable} */
		const { id } = await call(adapter, "create_data_table", { name: tableName, columns });
		/** @type {DataTable} */
		const stored = await call(adapter, "get_data_table", { dataTableId: id });
		const has = ({ name = "", type = "" }) =>
			stored.columns.some((column) => column.name === name && column.type === type);
		return { confirmed: stored.name === tableName && columns.every(has), dataTable: stored };
	},

	/**
	 * @param {Adapter} adapter
	 * @param {Args} args
	 */
	async insert(adapter, args) {
		return insertAndRead(adapter, await findTable(adapter, args), args.rows ?? []);
	},

	/**
	 * @param {Adapter} adapter
	 * @param {Args} args
	 */
	async read(adapter, args) {
		const { id: dataTableId, name, columns } = await findTable(adapter, args);
		const asked = Object.fromEntries(Object.entries(args).filter(([key]) => READING.includes(key)));
		/** @type {{data: object[], nextCursor?: string | null}} */
		const { data, nextCursor } = await call(adapter, "list_data_table_rows", { dataTableId, ...asked });
		return {
			dataTableId,
			table: name,
			columns: columns.map((column) => `${column.name}: ${column.type}`),
			rows: data,
			...(nextCursor ? { nextCursor, more: "Read on with this cursor." } : {}),
		};
	},
};
