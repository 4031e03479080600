/**
 * The tools of a scenario: a list, or `{count, name, description}`, where `{i}` in the name is the tool's number.
 *
 * @param {any} tools
 * @returns {any[]}
 */
export function listOf(tools) {
	if (Array.isArray(tools)) return tools.map((tool) => ({ inputSchema: EMPTY, ...tool }));
	return Array.from({ length: tools.count }, (_, index) => ({
		name: tools.name.replace("{i}", String(index + 1)),
		description: `Tool number ${index + 1}. `.padEnd(200, "what it does in many words, "),
		inputSchema: EMPTY,
	}));
}

const EMPTY = { type: "object", properties: {} };
