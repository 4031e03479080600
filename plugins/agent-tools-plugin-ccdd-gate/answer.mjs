/**
 * What a tool of the server said, which is JSON in one text.
 *
 * @param {any} adapter
 * @param {string} tool
 * @param {object} args
 * @returns {Promise<any>}
 */
export async function answerOf(adapter, tool, args) {
	const { content, isError } = await adapter.call(tool, args);
	const text = content?.[0]?.text ?? "";
	if (isError) throw new Error(`${tool}: ${text}`);
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new Error(`${tool} answered no JSON: ${text.slice(0, 200)}`, { cause });
	}
}
