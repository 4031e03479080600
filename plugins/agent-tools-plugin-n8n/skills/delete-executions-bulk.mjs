import { BULK, deleteMany } from "../api/bulk.mjs";
import { call, refusal } from "../api/call.mjs";
import { listAll } from "../api/pages.mjs";

/** @typedef {import("../api/executions.mjs").Execution} Execution */

export const meta = {
	description:
		"Delete n8n executions (run history) of a workflow or status, the newest first; shows them first (dryRun)",
	args: "status? and/or workflowId?, maxDelete?, dryRun? (default: true)",
	inputSchema: {
		type: "object",
		properties: {
			status: {
				type: "string",
				enum: ["canceled", "crashed", "error", "success", "unknown", "waiting"],
				description: "Only runs that ended, or are, so; running ones cannot be deleted",
			},
			workflowId: { type: "string", minLength: 1, description: "Only runs of this workflow" },
			...BULK,
		},
		additionalProperties: false,
	},
};

/**
 * @param {import("../api/call.mjs").Adapter} adapter
 * @param {{status?: string, workflowId?: string, maxDelete?: number, dryRun?: boolean}} args
 * @param {import("../api/call.mjs").Options} options
 */
export async function run(adapter, args, options) {
	const { status, workflowId, maxDelete = 100 } = args;
	if (status === undefined && workflowId === undefined) throw refusal("Give status, workflowId or both.");
	const filter = { ...(status ? { status } : {}), ...(workflowId ? { workflowId } : {}) };
	/** @type {{items: Execution[], more: boolean}} */
	const found = await listAll(adapter, "list_executions", filter, { enough: maxDelete });
	return deleteMany(
		found,
		({ id, status, workflowId, startedAt }) => ({ id, status, workflowId, startedAt }),
		({ id }) => call(adapter, "delete_execution", { executionId: id }),
		args,
		options,
	);
}
