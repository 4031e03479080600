/** How many searches stand for a plugin. */
const QUERIES = 10;
/** As many words as one types into a search. */
const WORDS = 8;

/**
 * Searches as they are typical of a plugin, made of its own tools, so that they are the same each time: of up to ten tools,
 * evenly spread over its list, by turns the name in words and the first words of the description.
 *
 * @param {{name: string, description?: string}[]} tools
 * @returns {string[]}
 */
export function typicalQueries(tools) {
	const count = Math.min(QUERIES, tools.length);
	return Array.from({ length: count }, (_, turn) => {
		const { name, description = "" } = tools[Math.floor((turn * tools.length) / count)] ?? { name: "" };
		const opening = description.split(/\s+/).filter(Boolean).slice(0, WORDS).join(" ");
		return turn % 2 === 1 && opening ? opening : inWords(name);
	});
}

/**
 * `getStoryById`, `get_story-by.id` → `get story by id`
 *
 * @param {string} name
 */
function inWords(name) {
	return name
		.replaceAll(/([a-z\d])(?=[A-Z])/g, "$1 ")
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean)
		.join(" ")
		.toLowerCase();
}
