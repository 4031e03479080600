// What each view costs a model's context, and what that saves.

import { chart } from "./chart.js";
import { byId, el, problem, show } from "./dom.js";
import { ask } from "./server.js";

const WORDS = /** @type {Record<string, string>} */ ({
	unified: "unified: three tools for everything",
	facade: "facade: three tools a plugin",
	flat: "flat: every tool by itself",
});

/** @typedef {{view: string, tools: number, tokens: number}} Cost */

export async function showTokens() {
	const panel = byId("tokens");
	try {
		show(panel, el("h2", {}, "Tokens"), ...costsOf(await ask("tokens")));
	} catch (error) {
		show(panel, el("h2", {}, "Tokens"), problem(error));
	}
}

/** @param {{views: Cost[], offered: number, unlisted: string[], view?: string, auto?: {kind: string}}} costs */
function costsOf({ views, offered, unlisted, view, auto }) {
	const of = (/** @type {string} */ name) => views.find((cost) => cost.view === name)?.tokens ?? 0;
	const [flat, unified] = [of("flat"), of("unified")];
	const saved = flat > 0 ? Math.round((1 - unified / flat) * 100) : 0;
	const shown = view === "auto" || view === undefined ? auto?.kind : view;
	const bars = views.map((cost) => ({
		label: WORDS[cost.view] ?? cost.view,
		value: cost.tokens,
		note: `${number(cost.tokens)} tokens, ${cost.tools} tools`,
		main: cost.view === (shown ?? "unified"),
	}));
	return [
		el(
			"p",
			{ class: "lead" },
			saved > 0
				? `The three tools of the unified view cost ${saved} % less than all ${number(offered)} tools and skills by themselves.`
				: `All ${number(offered)} tools and skills cost so little that showing them directly is cheaper.`,
		),
		chart("Tokens in every request, by view", bars),
		el(
			"p",
			{ class: "quiet" },
			"Tokens of each view's tool list, which a client sends with every request. They are estimates, within 15 % for tools of real servers; ",
			el("code", {}, "agent-tools cost"),
			" counts them with a tokenizer.",
		),
		shown && el("p", { class: "quiet" }, `Clients that choose no view are shown ${shown}.`),
		unlisted.length > 0 &&
			el("p", { class: "reason" }, `Not counted, as they were never listed: ${unlisted.join(", ")}.`),
		el("p", { class: "quiet" }, "A search costs what its reply costs, once; Search shows it below the hits."),
	];
}

/** @param {number} value */
function number(value) {
	return value.toLocaleString("en");
}
