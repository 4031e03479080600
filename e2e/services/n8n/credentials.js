import { offsetPage } from "./pages.js";
import { existing, Refusal } from "./refusal.js";

const AT = "2026-12-01T10:00:00.000Z";
const TYPES = {
	httpHeaderAuth: {
		additionalProperties: false,
		type: "object",
		properties: { name: { type: "string" }, value: { type: "string" } },
		required: ["name", "value"],
	},
};

/**
 * @param {Required<import("../n8n.js").State>} state
 * @returns {import("../n8n.js").Routes}
 */
export function credentialRoutes({ credentials, old }) {
	const find = (id) =>
		existing(
			credentials.find((one) => one.id === id),
			"Credential not found",
		);
	const shown = ({ data, ...credential }) => credential;
	const reading = {
		"GET /credentials": {
			query: ["limit", "cursor"],
			run: ({ query }) => {
				const { data, nextCursor } = offsetPage(credentials, query);
				return { data: data.map((one) => ({ ...shown(one), shared: [] })), nextCursor };
			},
		},
		"GET /credentials/*": { run: ({ ids: [id] }) => shown(find(id)) },
		"POST /credentials/*/test": { run: ({ ids: [id] }) => ({ status: "OK", message: `Tested ${find(id).name}` }) },
	};
	return {
		...(old ? {} : reading),
		"POST /credentials": {
			body: { name: "string*", type: "string*", data: "object*", projectId: "string" },
			run: ({ body }) => {
				const schema = TYPES[body.type];
				if (!schema) throw new Refusal(400, "req.body.type is not a known type");
				const missing = schema.required.find((field) => !(field in body.data));
				if (missing) throw new Refusal(400, `request.body.data requires property "${missing}"`);
				const created = {
					id: `c${credentials.length + 1}`,
					isManaged: false,
					isGlobal: false,
					isResolvable: false,
					createdAt: AT,
					updatedAt: AT,
					...body,
				};
				credentials.push(created);
				return shown(created);
			},
		},
		"DELETE /credentials/*": { run: ({ ids: [id] }) => shown(credentials.splice(credentials.indexOf(find(id)), 1)[0]) },
		"GET /credentials/schema/*": { run: ({ ids: [type] }) => existing(TYPES[type]) },
	};
}
