export const meta = { description: "Read the newest note and say how many there are, in one call", args: "none" };

/** @param {any} adapter whose calls are those of the plugin's tools */
export async function run(adapter) {
	const { content } = await adapter.call("list_notes", {});
	const { notes } = JSON.parse(content[0].text);
	return { count: notes.length, newest: notes.at(-1) };
}
