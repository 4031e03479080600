/** Where the table stands in the page. */
export const MARKS = { start: "<!-- made from e2e/clients/context.snap.json -->\n\n", end: "\n<!-- until here -->" };

/** @param {Record<string, Record<string, import("./context.js").Context>>} recorded by the number of servers, then by way */
export function contextTable(recorded) {
	const rows = Object.entries(recorded).flatMap(([servers, ways]) =>
		Object.entries(ways).map(([way, { tools, atRest, search, afterwards }]) => [
			servers,
			way,
			grouped(tools),
			grouped(atRest),
			grouped(search),
			afterwards ? `+ ${grouped(afterwards)}` : "",
		]),
	);
	return [
		["servers", "way", "tools declared", "tokens at rest", "a search's reply", "in each request from then on"],
		["--:", "---", "--:", "--:", "--:", "--:"],
		...rows,
	]
		.map((cells) => `| ${cells.join(" | ")} |\n`)
		.join("");
}

/** @param {number} [number] */
function grouped(number) {
	return number?.toLocaleString("en-US") ?? "";
}
