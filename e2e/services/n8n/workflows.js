import { offsetPage } from "./pages.js";
import { existing, Refusal, withStatus } from "./refusal.js";

const AT = "2026-12-01T10:00:00.000Z";
const NODE_KEYS = new Set(
	"id name webhookId disabled notesInFlow notes type typeVersion executeOnce alwaysOutputData retryOnFail maxTries waitBetweenTries continueOnFail onError position parameters credentials".split(
		" ",
	),
);
const WRITTEN = {
	name: "string*",
	nodes: "array*",
	connections: "object*",
	settings: "object*",
	staticData: "object",
	pinData: "object",
};
const LISTING = ["limit", "cursor", "offset", "active", "name", "tags", "projectId", "excludePinnedData"];

/**
 * A workflow as n8n gives it.
 *
 * @param {Record<string, any>} fields
 */
export function workflow({ id, active = false, ...more }) {
	return {
		id,
		name: `Workflow ${id}`,
		active,
		activeVersionId: active ? "v1" : null,
		versionId: "v1",
		isArchived: false,
		triggerCount: active ? 1 : 0,
		nodes: [],
		connections: {},
		settings: { executionOrder: "v1" },
		staticData: null,
		meta: null,
		pinData: null,
		tags: [],
		shared: [{ role: "workflow:owner", workflowId: id, projectId: "p1", createdAt: AT, updatedAt: AT }],
		activeVersion: null,
		createdAt: AT,
		updatedAt: AT,
		...more,
	};
}

/**
 * @param {Required<import("../n8n.js").State>} state
 * @returns {import("../n8n.js").Routes}
 */
export function workflowRoutes(state) {
	const { workflows } = state;
	const tags = [];
	const find = (id) => existing(workflows.find((one) => one.id === id));
	const findTag = (id) => existing(tags.find((tag) => tag.id === id));
	let left = state.unpublishing ?? 0;
	let last = 100;

	const publish = ({ ids: [id] }) => {
		const found = find(id);
		if (!found.nodes.some(({ type }) => /trigger$|webhook$/i.test(type))) {
			throw new Refusal(400, "Workflow cannot be activated because it has no trigger node.");
		}
		return Object.assign(found, {
			active: true,
			activeVersionId: found.versionId,
			activeVersion: { nodes: found.nodes, connections: found.connections },
		});
	};
	const unpublish = ({ ids: [id] }) =>
		Object.assign(find(id), { active: false, activeVersionId: null, activeVersion: null });

	return {
		"GET /workflows": {
			query: LISTING,
			run: ({ query }) => {
				const { active, name = "", excludePinnedData } = query;
				if (active !== undefined && !/^(true|false)$/.test(active))
					throw new Refusal(400, "request/query/active must be boolean");
				const found = workflows.filter(
					(one) => (active === undefined || String(one.active) === active) && one.name.includes(name),
				);
				const { data, nextCursor } = offsetPage(found, query);
				return {
					data: data.map(({ pinData, ...one }) => (excludePinnedData === "true" ? one : { ...one, pinData })),
					nextCursor,
				};
			},
		},
		"POST /workflows": {
			body: { ...WRITTEN, projectId: "string" },
			run: ({ body }) => {
				checkNodes(body.nodes);
				const created = workflow({ ...body, id: `w${++last}` });
				workflows.push(created);
				return created;
			},
		},
		"GET /workflows/*": { query: ["excludePinnedData"], run: ({ ids: [id] }) => find(id) },
		"PUT /workflows/*": {
			query: ["publishIfActive"],
			body: WRITTEN,
			run: ({ ids: [id], body }) => {
				checkNodes(body.nodes);
				return Object.assign(find(id), body, { versionId: "v2" });
			},
		},
		"DELETE /workflows/*": {
			run: ({ ids: [id] }) => {
				const found = find(id);
				if (!state.old && found.activeVersionId !== null) {
					throw new Refusal(409, "Cannot delete a published workflow. Unpublish it before deleting.");
				}
				if (left > 0) {
					left--;
					throw new Refusal(409, "Workflow is still being unpublished. Please try again in a few moments.");
				}
				workflows.splice(workflows.indexOf(found), 1);
				return found;
			},
		},
		"POST /workflows/*/activate": {
			body: { versionId: "string", name: "string", description: "string" },
			run: publish,
		},
		"POST /workflows/*/deactivate": { run: unpublish },
		"POST /workflows/*/archive": {
			run: (parts) => Object.assign(unpublish(parts), { isArchived: true }),
		},
		"POST /workflows/*/unarchive": {
			run: ({ ids: [id] }) => {
				if (!find(id).isArchived) throw new Refusal(400, "Workflow is not archived.");
				return Object.assign(find(id), { isArchived: false });
			},
		},
		"GET /workflows/*/tags": { run: ({ ids: [id] }) => find(id).tags },
		"PUT /workflows/*/tags": {
			body: "list",
			run: ({ ids: [id], body }) => {
				find(id).tags = body.map((tag) => findTag(tag.id));
				return find(id).tags;
			},
		},
		"GET /tags": { query: ["limit", "cursor"], run: ({ query }) => offsetPage(tags, query) },
		"POST /tags": {
			body: { name: "string*" },
			run: ({ body: { name } }) => {
				if (tags.some((tag) => tag.name === name)) throw new Refusal(409, "Tag already exists");
				tags.push({ id: `t${tags.length + 1}`, name, createdAt: AT, updatedAt: AT });
				return withStatus(201, tags.at(-1));
			},
		},
		"PUT /tags/*": { body: { name: "string*" }, run: ({ ids: [id], body }) => Object.assign(findTag(id), body) },
		"DELETE /tags/*": { run: ({ ids: [id] }) => tags.splice(tags.indexOf(findTag(id)), 1)[0] },
		"GET /projects": {
			query: ["limit", "cursor"],
			run: ({ query }) => offsetPage([{ id: "p1", name: "Ada <ada@example.com>", type: "personal" }], query),
		},
	};
}

/** @param {any[]} nodes */
function checkNodes(nodes) {
	for (const [index, node] of nodes.entries()) {
		if (Object.keys(node).some((key) => !NODE_KEYS.has(key))) {
			throw new Refusal(400, `request/body/nodes/${index} must NOT have additional properties`);
		}
	}
}
