/**
 * @typedef {import("../../../index.d.ts").Explanation} Explanation
 * @typedef {import("../../../index.d.ts").WordMatch} WordMatch
 */

/** @type {Record<string, string>} */
const FIELDS = {
	server: "plugin",
	serverText: "plugin's description",
	name: "name",
	description: "description",
	parameters: "parameters",
	parameterTexts: "parameters' descriptions",
};

/** @type {Record<string, string>} */
const WAYS = { synonym: "a synonym", glossary: "its English", correction: "nearly the same" };

/**
 * Why a hit has its score, in lines to be read.
 *
 * @param {Explanation} explanation
 * @returns {string[]}
 */
export function explanationLines({ score, named, lexical, meaning, plugin, words }) {
	const width = Math.max(0, ...words.map((word) => looked(word).length));
	return [
		...(named ? ["named: the search calls it by its name: it goes before all that are not"] : []),
		`score ${number(score)} = words ${number(lexical.standard)}${
			meaning ? ` + 2 × meaning ${number(meaning.standard)}` : ""
		} + plugin ${number(plugin)}`,
		`words: ${number(lexical.value)} of 1 in common, ${deviations(lexical.standard)}`,
		...words.map((word) => `  ${looked(word).padEnd(width)}  ${gain(word)}`),
		meaning
			? `meaning: cosine ${number(meaning.value)}, ${deviations(meaning.standard)}`
			: "meaning: no word of the search is known",
	];
}

/** @param {WordMatch} match */
function looked({ word, matched }) {
	const way = matched && WAYS[matched.via];
	return way ? `${word} as ${matched.as} (${way})` : word;
}

/** @param {WordMatch} match */
function gain({ matched }) {
	if (!matched) return "not there";
	const fields = matched.fields.map(([field, share]) => `${FIELDS[field] ?? field} ${number(share)}`);
	return `${number(matched.value)}: ${fields.join(", ")}`;
}

/** @param {number} standard */
function deviations(standard) {
	const side = standard < 0 ? "below" : "above";
	return `${number(Math.abs(standard))} deviations ${side} the mean`;
}

/** @param {number} value */
function number(value) {
	return value.toFixed(2);
}
