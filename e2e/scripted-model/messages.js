/**
 * The content of a message is a string or a list of parts.
 *
 * @param {unknown} content
 * @returns {string}
 */
export function textOf(content) {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content.map((part) => (typeof part === "string" ? part : (part.text ?? ""))).join("");
}

/**
 * The tool results behind the newest assistant message, joined.
 *
 * @param {import("./script.js").Message[]} messages
 */
export function newestToolResult(messages) {
	const lastAssistant = messages.findLastIndex(({ role }) => role === "assistant");
	return messages
		.slice(lastAssistant + 1)
		.filter(({ role }) => role === "tool")
		.map(({ content }) => content)
		.join("\n");
}
