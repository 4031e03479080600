/** @typedef {import("../../bindings-node/lib/cli/cost/measure.js").ViewCost} ViewCost */

/** Where the table stands in the page. */
const MARKS = { start: "<!-- made from e2e/cost/tokens.snap.json -->\n\n", end: "\n<!-- until here -->" };

/**
 * The recorded numbers as a table of Markdown.
 *
 * @param {Record<string, Record<string, ViewCost>>} recorded by the number of plugins, and then by view
 */
export function table(recorded) {
	const rows = Object.entries(recorded).flatMap(([plugins, views]) =>
		Object.entries(views).map(([kind, { tools, tokens, instructions, discover }]) => {
			const share = kind === "flat" ? "" : `${((tokens / (views.flat?.tokens ?? tokens)) * 100).toFixed(1)} %`;
			const replies = discover ? `${discover.mean} / ${discover.max}` : "";
			return [plugins, `\`${kind}\``, grouped(tools), grouped(tokens), share, grouped(instructions), replies];
		}),
	);
	return [
		["plugins", "view", "tools listed", "tokens at rest", "of `flat`", "instructions", "a search, mean / max"],
		["--:", "---", "--:", "--:", "--:", "--:", "--:"],
		...rows,
	]
		.map((cells) => `| ${cells.join(" | ")} |\n`)
		.join("");
}

/**
 * The page with that table in its place.
 *
 * @param {string} page
 * @param {string} text
 * @param {{start: string, end: string}} [marks]
 */
export function withTable(page, text, marks = MARKS) {
	const start = page.indexOf(marks.start);
	const end = page.indexOf(marks.end, start);
	if (start === -1 || end === -1) throw new Error("the page has no place for the table");
	return page.slice(0, start + marks.start.length) + text + page.slice(end);
}

/** @param {number} number */
function grouped(number) {
	return number.toLocaleString("en-US");
}
