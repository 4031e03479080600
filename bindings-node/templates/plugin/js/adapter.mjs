/** What the model is told of each tool. */
const tools = [
	{
		name: "list_notes",
		description: "List all notes, oldest first, with text and number.",
		inputSchema: { type: "object", properties: {}, additionalProperties: false },
	},
	{
		name: "add_note",
		description: "Write a note down, to be remembered. Returns it with its number.",
		inputSchema: {
			type: "object",
			properties: { text: { type: "string", minLength: 1, description: "What to remember" } },
			required: ["text"],
			additionalProperties: false,
		},
	},
];

/** Notes in memory: a sample, to be replaced by the calls of your service. */
export default class NotesAdapter {
	/** @type {{number: number, text: string}[]} */
	#notes = [{ number: 1, text: "Releases are made on Thursdays." }];

	listTools() {
		return { tools };
	}

	/**
	 * The arguments have been checked against the tool's schema, and consent was given where the tool is not in
	 * `readonlyTools` of plugin.json.
	 *
	 * @param {string} name
	 * @param {any} args
	 */
	async call(name, args) {
		return { content: [{ type: "text", text: JSON.stringify(this.#answer(name, args)) }] };
	}

	/**
	 * @param {string} name
	 * @param {any} args
	 */
	#answer(name, args) {
		switch (name) {
			case "list_notes":
				return { notes: this.#notes };
			case "add_note": {
				const note = { number: this.#notes.length + 1, text: args.text };
				this.#notes.push(note);
				return note;
			}
			default:
				throw Object.assign(new Error(`Unknown tool: ${name}`), { code: "UNKNOWN_TOOL" });
		}
	}
}
