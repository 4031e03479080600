import { NAME_PATTERN, named } from "../api/names.mjs";
import { PAGING, pageOf } from "../api/pages.mjs";
import { isTrigger, listWorkflows } from "../api/workflows.mjs";

/** @typedef {import("../api/workflows.mjs").Workflow} Workflow */

export const meta = {
	description: "Find n8n workflows by name or state, with their triggers, tags and number of nodes",
	args: "active?, namePattern?, page?, pageSize?",
	inputSchema: {
		type: "object",
		properties: {
			active: { type: "boolean", description: "Only published (true) or only unpublished (false) ones" },
			namePattern: NAME_PATTERN,
			...PAGING,
		},
		additionalProperties: false,
	},
	readOnly: true,
};

/**
 * @param {import("../api/call.mjs").Adapter} adapter
 * @param {{active?: boolean, namePattern?: string, page?: number, pageSize?: number}} args
 */
export async function run(adapter, args) {
	const { items: found, more } = await listWorkflows(adapter, args, { keep: named(args.namePattern) });
	const { items, about } = pageOf(found, args);
	return {
		...about,
		...(more ? { incomplete: "There are more workflows than were looked at." } : {}),
		workflows: items.map(summary),
	};
}

/** @param {Workflow} workflow */
function summary({ id, name, active, isArchived, tags = [], nodes, updatedAt }) {
	return {
		id,
		name,
		active,
		...(isArchived ? { archived: true } : {}),
		triggers: [...new Set(nodes.filter(isTrigger).map(({ type }) => type))],
		nodes: nodes.length,
		...(tags.length > 0 ? { tags: tags.map((tag) => tag.name) } : {}),
		updatedAt,
	};
}
