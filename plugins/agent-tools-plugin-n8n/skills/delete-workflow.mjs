import { call, refusal } from "../api/call.mjs";
import { NAME_PATTERN, named, onlyOne } from "../api/names.mjs";
import { isGone, listWorkflows, removeWorkflow } from "../api/workflows.mjs";

/** @typedef {import("../api/call.mjs").Adapter} Adapter */

export const meta = {
	description:
		"Delete one n8n workflow for good, by id or by a name that only one has; unpublishes it first where n8n wants that",
	args: "either workflowId or namePattern",
	inputSchema: {
		type: "object",
		properties: {
			workflowId: { type: "string", minLength: 1, description: "Id of the workflow" },
			namePattern: NAME_PATTERN,
		},
		additionalProperties: false,
	},
};

/**
 * @param {Adapter} adapter
 * @param {{workflowId?: string, namePattern?: string}} args
 */
export async function run(adapter, args) {
	const { id, name } = await meant(adapter, args);
	const { unpublished } = await removeWorkflow(adapter, id);
	const confirmed = await isGone(adapter, "get_workflow", { workflowId: id });
	return { confirmed, deleted: { id, name }, ...(unpublished ? { unpublishedFirst: true } : {}) };
}

/**
 * @param {Adapter} adapter
 * @param {{workflowId?: string, namePattern?: string}} args
 * @returns {Promise<{id: string, name: string}>}
 */
async function meant(adapter, { workflowId, namePattern }) {
	if ((workflowId === undefined) === (namePattern === undefined))
		throw refusal("Give either workflowId or namePattern.");
	if (namePattern === undefined) return call(adapter, "get_workflow", { workflowId });
	const { items } = await listWorkflows(adapter, {}, { keep: named(namePattern) });
	return onlyOne(items, "workflow", namePattern);
}
