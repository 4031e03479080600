import { BULK, deleteMany } from "../api/bulk.mjs";
import { call } from "../api/call.mjs";
import { NAME_PATTERN, named } from "../api/names.mjs";
import { listAll } from "../api/pages.mjs";

/** @typedef {import("../api/data-tables.mjs").DataTable} DataTable */

export const meta = {
	description: "Delete all n8n data tables of a name pattern, with their rows; shows them first (dryRun)",
	args: "namePattern, maxDelete?, dryRun? (default: true)",
	inputSchema: {
		type: "object",
		properties: { namePattern: NAME_PATTERN, ...BULK },
		required: ["namePattern"],
		additionalProperties: false,
	},
};

/**
 * @param {import("../api/call.mjs").Adapter} adapter
 * @param {{namePattern: string, maxDelete?: number, dryRun?: boolean}} args
 * @param {import("../api/call.mjs").Options} options
 */
export async function run(adapter, args, options) {
	const { namePattern, maxDelete = 100 } = args;
	/** @type {(table: DataTable) => boolean} */
	const keep = named(namePattern);
	const found = await listAll(adapter, "list_data_tables", {}, { keep, enough: maxDelete });
	return deleteMany(
		found,
		({ id, name }) => ({ id, name }),
		({ id }) => call(adapter, "delete_data_table", { dataTableId: id }),
		args,
		options,
	);
}
