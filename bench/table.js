/** @typedef {{name: string, value: string, compared?: string, aim?: string}} Row */

/**
 * @param {Row[]} rows
 */
export function printTable(rows) {
	const head = { name: "", value: "p50", compared: "compared", aim: "aim" };
	const columns = /** @type {const} */ (["name", "value", "compared", "aim"]);
	const widths = columns.map((column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
	for (const row of [head, ...rows]) {
		console.log(
			columns
				.map((column, i) => (row[column] ?? "").padEnd(widths[i] ?? 0))
				.join("  ")
				.trimEnd(),
		);
	}
}
