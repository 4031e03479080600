import { BULK, deleteMany } from "../api/bulk.mjs";
import { refusal } from "../api/call.mjs";
import { NAME_PATTERN, named } from "../api/names.mjs";
import { listWorkflows, removeWorkflow } from "../api/workflows.mjs";

export const meta = {
	description: "Delete all n8n workflows of a name pattern or state; shows them first (dryRun)",
	args: "active? and/or namePattern?, maxDelete?, dryRun? (default: true)",
	inputSchema: {
		type: "object",
		properties: {
			active: { type: "boolean", description: "Only published (true) or only unpublished (false) ones" },
			namePattern: NAME_PATTERN,
			...BULK,
		},
		additionalProperties: false,
	},
};

/**
 * @param {import("../api/call.mjs").Adapter} adapter
 * @param {{active?: boolean, namePattern?: string, maxDelete?: number, dryRun?: boolean}} args
 * @param {import("../api/call.mjs").Options} options
 */
export async function run(adapter, args, options) {
	const { active, namePattern, maxDelete = 100 } = args;
	if (active === undefined && namePattern === undefined) throw refusal("Give active, namePattern or both.");
	const found = await listWorkflows(adapter, { active }, { keep: named(namePattern), enough: maxDelete });
	return deleteMany(
		found,
		({ id, name, active }) => ({ id, name, active }),
		({ id }) => removeWorkflow(adapter, id),
		args,
		options,
	);
}
