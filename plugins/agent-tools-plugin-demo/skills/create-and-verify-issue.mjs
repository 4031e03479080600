export const meta = {
	description: "Create an issue, read it back and say whether it was stored as asked (confirmed: true or false)",
	args: "title (required), body?, labels?: string[]",
	inputSchema: {
		type: "object",
		properties: {
			title: { type: "string", minLength: 1, description: "One line that says what is wrong or wanted" },
			body: { type: "string", description: "Details, in Markdown" },
			labels: { type: "array", items: { type: "string" }, description: "Such as bug, feature, docs" },
		},
		required: ["title"],
		additionalProperties: false,
	},
};

/**
 * @param {any} adapter
 * @param {{title: string, body?: string, labels?: string[]}} draft
 */
export async function run(adapter, draft) {
	const created = read(await adapter.call("create_issue", draft));
	const stored = read(await adapter.call("get_issue", { number: created.number }));
	const confirmed =
		stored.title === draft.title &&
		stored.body === (draft.body ?? "") &&
		JSON.stringify(stored.labels) === JSON.stringify(draft.labels ?? []);
	return { confirmed, issue: stored };
}

/**
 * @param {{content: {text: string}[]}} reply
 * @returns {import("../tracker.mjs").Issue}
 */
function read(reply) {
	return JSON.parse(reply.content[0]?.text ?? "null");
}
