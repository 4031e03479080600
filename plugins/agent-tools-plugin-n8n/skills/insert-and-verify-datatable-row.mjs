import { findTable, insertAndRead, TABLE } from "../api/data-tables.mjs";

export const meta = {
	description:
		"Insert a row with one value into an n8n data table, read it back and say whether it was stored (confirmed: true or false)",
	args: "column, value, either dataTableId or tableName",
	inputSchema: {
		type: "object",
		properties: {
			column: { type: "string", minLength: 1, description: "Which column gets the value" },
			value: { type: ["string", "number", "boolean", "null"], description: "The value" },
			...TABLE,
			confirm: { type: "boolean", description: "The user's consent; may also stand beside skill" },
		},
		required: ["column", "value"],
		additionalProperties: false,
	},
};

/**
 * @param {import("../api/call.mjs").Adapter} adapter
 * @param {{column: string, value: unknown, dataTableId?: string, tableName?: string}} args
 */
export async function run(adapter, args) {
	const table = await findTable(adapter, args);
	const { rows, ...outcome } = await insertAndRead(adapter, table, [{ [args.column]: args.value }]);
	return { ...outcome, row: rows[0] };
}
