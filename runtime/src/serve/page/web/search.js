// Search with the ranking of `discover`, and the reasons for it.

import { byId, el, problem, show } from "./dom.js";
import { marksOf } from "./plugins.js";
import { ask } from "./server.js";

const FIELDS = /** @type {Record<string, string>} */ ({
	server: "plugin",
	serverText: "plugin's description",
	name: "name",
	description: "description",
	parameters: "parameters",
	parameterTexts: "parameters' descriptions",
});
const WAYS = /** @type {Record<string, string>} */ ({
	synonym: "a synonym",
	glossary: "its English",
	correction: "nearly the same",
});

/**
 * @typedef {{plugin: string, kind: string, name: string, score: number, description?: string, effect?: string, decision?: string,
 *   explanation: Explanation}} Hit
 * @typedef {{value: number, standard: number}} Part
 * @typedef {{value: number, via: string, as: string, fields: [string, number][]}} Match
 * @typedef {{score: number, named: boolean, lexical: Part, meaning?: Part, plugin: number, words: {word: string, matched?: Match}[]}} Explanation
 */

/** Counts searches, as answers may overtake each other. */
let latest = 0;

/** @param {(hit: any) => void} onTry */
export function beginSearch(onTry) {
	const found = el("div", { id: "found", "aria-live": "polite" });
	const query = el("input", {
		id: "query",
		type: "search",
		autocomplete: "off",
		spellcheck: "false",
		placeholder: "what you want to do",
	});
	const limit = el("select", { id: "limit" }, ...[5, 10, 20, 50].map((n) => el("option", { value: n }, n)));
	const search = async () => {
		const text = query.value.trim();
		latest += 1;
		const mine = latest;
		if (text === "") return show(found);
		show(found, el("p", { class: "quiet", role: "status" }, "Searching…"));
		try {
			const result = await ask("search", { query: text, limit: limit.value });
			if (mine === latest) show(found, ...resultOf(result, onTry));
		} catch (error) {
			if (mine === latest) show(found, problem(error));
		}
	};
	const submit = (/** @type {Event} */ event) => {
		event.preventDefault();
		search();
	};
	show(
		byId("search"),
		el("h2", {}, "Search"),
		el(
			"form",
			{ class: "bar", role: "search", submit },
			el("label", { for: "query" }, "Words"),
			query,
			el("label", { for: "limit" }, "Hits"),
			limit,
			el("button", { type: "submit" }, "Search"),
		),
		found,
	);
}

/**
 * @param {{fits: boolean, hits: Hit[], nearest: string[], missing: {plugin: string, why: string}[], reply?: {text: string, tokens: number}}} result
 * @param {(hit: Hit) => void} onTry
 */
function resultOf({ fits, hits, nearest, missing, reply }, onTry) {
	const near = nearest.length > 0 ? ` The nearest plugins: ${nearest.join(", ")}.` : "";
	return [
		!fits && el("p", { class: "notice" }, `Nothing fits.${near} Search in other words.`),
		!fits && hits.length > 0 && el("p", { class: "quiet" }, "What came nearest, which a model is not shown:"),
		el("ol", { class: "hits" }, ...hits.map((hit) => hitOf(hit, onTry))),
		...missing.map(({ plugin, why }) => el("p", { class: "reason" }, `${plugin} was not searched: ${why}`)),
		reply &&
			el(
				"details",
				{ class: "reply" },
				el("summary", {}, `What a model reads of this search: about ${reply.tokens} tokens`),
				el("pre", {}, reply.text),
			),
	];
}

/**
 * @param {Hit} hit
 * @param {(hit: Hit) => void} onTry
 */
function hitOf(hit, onTry) {
	const { plugin, kind, name, score, description, explanation } = hit;
	return el(
		"li",
		{ "data-hit": `${plugin}/${name}` },
		el(
			"div",
			{ class: "line" },
			el("span", { class: "plugin" }, plugin),
			el("code", { class: "name" }, name),
			...marksOf(hit),
			el("span", { class: "score", title: "The score that it is ranked by" }, score.toFixed(2)),
			el(
				"button",
				{ type: "button", class: "quiet-button", "aria-label": `Try the ${kind} ${name}`, click: () => onTry(hit) },
				"Try",
			),
		),
		description && el("p", { class: "quiet clamped" }, description),
		el("details", {}, el("summary", {}, "Why it stands here"), why(explanation)),
	);
}

/** @param {Explanation} explanation */
function why({ named, score, lexical, meaning, plugin, words }) {
	const sum = `${number(lexical.standard)}${meaning ? ` + 2 × ${number(meaning.standard)}` : ""} + ${number(plugin)}`;
	return el(
		"div",
		{ class: "why" },
		named && el("p", {}, "The search calls it by its name, so it stands before all that are not."),
		el(
			"dl",
			{},
			...pair("Score", `${number(score)} = ${sum}`),
			...pair("Words", `${number(lexical.value)} of 1 in common, ${deviations(lexical.standard)}`),
			...pair(
				"Meaning",
				meaning ? `cosine ${number(meaning.value)}, ${deviations(meaning.standard)}` : "no word of the search is known",
			),
			...pair("Plugin", number(plugin)),
		),
		el("ul", { class: "words" }, ...words.map(wordOf)),
	);
}

/** @param {{word: string, matched?: Match}} match */
function wordOf({ word, matched }) {
	if (!matched) return el("li", { class: "quiet" }, el("code", {}, word), " is not there");
	const way = WAYS[matched.via];
	const fields = matched.fields.map(([field, share]) => `${FIELDS[field] ?? field} ${number(share)}`).join(", ");
	return el(
		"li",
		{},
		el("code", {}, word),
		way && ` as ${matched.as} (${way})`,
		` ${number(matched.value)}: ${fields}`,
	);
}

/**
 * @param {string} term
 * @param {string} text
 */
function pair(term, text) {
	return [el("dt", {}, term), el("dd", {}, text)];
}

/** @param {number} standard */
function deviations(standard) {
	return `${number(Math.abs(standard))} deviations ${standard < 0 ? "below" : "above"} the mean`;
}

/** @param {number} value */
function number(value) {
	return value.toFixed(2);
}
