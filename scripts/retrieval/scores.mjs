/**
 * By set: its scores by name.
 *
 * @typedef {Record<string, Record<string, number | null>>} Scores
 */

/** A score may fall by this much: more than rounding, less than what a user feels. */
const TOLERANCE = 0.01;

/**
 * How low R@5 may ever be, whatever was kept.
 *
 * @type {Record<string, number>}
 */
const LEAST = {
	"livemcp step": 0.72,
	"livemcp task": 0.35,
	"metatool single": 0.77,
	"metatool multi": 0.77,
	bfcl: 0.885,
	"livemcp keywords": 0.68,
	"metatool keywords": 0.66,
	"bfcl keywords": 0.82,
	"livemcp step among others": 0.69,
	spanish: 0.75,
};

/** The scores where less is better. */
const LESS_IS_BETTER = new Set(["refused", "fittingRefused"]);

/**
 * What is worse than it was, a sentence each.
 *
 * @param {Scores} kept
 * @param {Scores} scores
 * @returns {string[]}
 */
export function fallen(kept, scores) {
	const problems = [];
	for (const [set, before] of Object.entries(kept)) {
		for (const [name, value] of Object.entries(before)) {
			if (value === null) continue;
			const now = scores[set]?.[name];
			const loss = typeof now === "number" ? (LESS_IS_BETTER.has(name) ? now - value : value - now) : Infinity;
			// Scores have three digits; what a subtraction adds to them is no loss.
			if (loss > TOLERANCE + 1e-9) problems.push(`${set}: ${name} was ${value} and is ${now ?? "missing"}`);
		}
	}
	for (const [set, least] of Object.entries(LEAST)) {
		const now = scores[set]?.recallAt5 ?? 0;
		if (now < least) problems.push(`${set}: R@5 is ${now}, and must be ${least} at least`);
	}
	return problems;
}

/**
 * The scores to be read: the ranking first, then how often the search says that nothing fits.
 *
 * @param {Scores} scores
 */
export function table(scores) {
	const all = Object.entries(scores);
	const ranked = all.filter(([, score]) => score.recallAt5 !== undefined);
	const refusing = all.filter(([, score]) => score.recallAt5 === undefined);
	return [
		...rows(["set", "queries", "R@1", "R@5", "nDCG@10", "refused"], ranked, [
			"queries",
			"recallAt1",
			"recallAt5",
			"ndcgAt10",
			"refused",
		]),
		"",
		...rows(["nothing fits", "refused rightly", "refused wrongly"], refusing, ["unfitRefused", "fittingRefused"]),
	].join("\n");
}

/**
 * @param {string[]} heads
 * @param {[string, Record<string, number | null>][]} entries
 * @param {string[]} names
 */
function rows(heads, entries, names) {
	const cells = entries.map(([set, score]) => [set, ...names.map((name) => shown(name, score[name]))]);
	const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)));
	return [heads, ...cells].map((row) =>
		row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
	);
}

/**
 * @param {string} name
 * @param {number | null} [value]
 */
function shown(name, value) {
	if (value === null || value === undefined) return "–";
	return name === "queries" ? String(value) : value.toFixed(3);
}
