const number = { type: "integer", minimum: 1, description: "The issue's number, from list_issues" };
const label = { type: "string", minLength: 1, maxLength: 50 };

/** What the model is told of each tool. */
export const tools = [
	{
		name: "list_issues",
		title: "List issues",
		description: "List the issues, newest first, with number, title, state and labels. Filter by state or label.",
		inputSchema: object({
			state: {
				type: "string",
				enum: ["open", "closed", "all"],
				default: "open",
				description: "Which issues; default: open",
			},
			label: { ...label, description: "Only issues with this label, such as bug" },
		}),
	},
	{
		name: "get_issue",
		title: "Get an issue",
		description: "Read one issue in full: title, body, state, labels and when it was created and closed.",
		inputSchema: object({ number }, ["number"]),
	},
	{
		name: "create_issue",
		title: "Create an issue",
		description: "Open a new issue (report a bug, ask for a feature). Returns it with its number.",
		inputSchema: object(
			{
				title: {
					type: "string",
					minLength: 1,
					maxLength: 200,
					description: "One line that says what is wrong or wanted",
				},
				body: { type: "string", maxLength: 20_000, description: "Details, in Markdown" },
				labels: { type: "array", items: label, maxItems: 20, description: "Such as bug, feature, docs" },
			},
			["title"],
		),
	},
	{
		name: "close_issue",
		title: "Close an issue",
		description: "Close an open issue because it is done or not wanted. Closing a closed issue changes nothing.",
		inputSchema: object({ number }, ["number"]),
	},
	{
		name: "list_notes",
		title: "List notes",
		description: "List every note, oldest first, with its text and when it was added.",
		inputSchema: object({}),
	},
	{
		name: "add_note",
		title: "Add a note",
		description: "Write a note down, to be remembered later. Returns it with its id.",
		inputSchema: object({ text: { type: "string", minLength: 1, maxLength: 5000, description: "What to remember" } }, [
			"text",
		]),
	},
];

/**
 * @param {Record<string, unknown>} properties
 * @param {string[]} required
 */
function object(properties, required = []) {
	return { type: "object", properties, required, additionalProperties: false };
}
