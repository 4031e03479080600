import { refusal } from "../api/call.mjs";
import { listWorkflows } from "../api/workflows.mjs";
import { withoutSecrets } from "../audit/secrets.mjs";

/**
 * @typedef {import("../api/workflows.mjs").Node} Node
 * @typedef {{id: string, versions: number[], nodes: number, workflows: {id: string, name: string}[], example: Node}} NodeType
 */

const SHOWN = 20;
const WORKFLOWS = 5;

export const meta = {
	description:
		"Find n8n node types (such as httpRequest or slack) among those that workflows of this instance use, with an example of each",
	args: "either queries: string[] or nodeIds: string[]",
	inputSchema: {
		type: "object",
		properties: {
			queries: {
				type: "array",
				minItems: 1,
				items: { type: "string", minLength: 1 },
				description: "Words to look for in the types and in the names that nodes have",
			},
			nodeIds: {
				type: "array",
				minItems: 1,
				items: { type: "string", minLength: 1 },
				description: "Whole types, such as n8n-nodes-base.httpRequest",
			},
		},
		additionalProperties: false,
	},
	readOnly: true,
};

/**
 * @param {import("../api/call.mjs").Adapter} adapter
 * @param {{queries?: string[], nodeIds?: string[]}} args
 */
export async function run(adapter, { queries, nodeIds }) {
	if ((queries === undefined) === (nodeIds === undefined)) throw refusal("Give either queries or nodeIds.");
	const { items, more } = await listWorkflows(adapter);
	const words = queries?.map((query) => query.toLowerCase());
	/** @type {Map<string, NodeType>} */
	const found = new Map();
	for (const { id, name, nodes } of items) {
		for (const node of nodes) {
			const text = `${node.type} ${node.name}`.toLowerCase();
			if (words ? words.some((word) => text.includes(word)) : nodeIds?.includes(node.type))
				add(found, node, { id, name });
		}
	}
	const types = [...found.values()].sort((a, b) => b.nodes - a.nodes);
	return {
		source: `the nodes of this instance's ${items.length} workflows${more ? ", more of which were not looked at" : ""}; types that none uses are not known here (the plugin n8nmcp knows all: search_nodes)`,
		...(nodeIds ? { unknown: nodeIds.filter((id) => !found.has(id)) } : {}),
		...(types.length > SHOWN ? { notShown: types.length - SHOWN } : {}),
		nodeTypes: types.slice(0, SHOWN),
	};
}

/**
 * @param {Map<string, NodeType>} found
 * @param {Node} node
 * @param {{id: string, name: string}} workflow
 */
function add(found, node, workflow) {
	const { type: id, name, typeVersion = 1, parameters } = withoutSecrets(node);
	const known = found.get(id) ?? {
		id,
		versions: [],
		nodes: 0,
		workflows: [],
		example: { name, type: id, typeVersion, parameters },
	};
	known.nodes++;
	if (!known.versions.includes(typeVersion)) known.versions.push(typeVersion);
	if (known.workflows.length < WORKFLOWS && !known.workflows.some((one) => one.id === workflow.id))
		known.workflows.push(workflow);
	found.set(id, known);
}
