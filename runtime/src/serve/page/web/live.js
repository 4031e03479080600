// Each call as it is recorded, whichever client made it.

import { byId, el, problem, show } from "./dom.js";
import { follow } from "./server.js";

/**
 * @typedef {{seq: number, time: string, client?: {door?: string, name?: string}, plugin?: string, tool?: string, skill?: string,
 *   asked?: string, outcome: string, code?: string, ms?: number, args?: {sha256: string, redacted: unknown}, receipt?: string, parent?: string,
 *   decision?: {decision: string, kind: string, rule: string, by: string}}} Line
 */

/** Rows that are kept. */
const MOST = 500;
/** How soon a stream that broke off is opened again. */
const AGAIN_MS = 2000;

const rows = el("ol", { class: "calls", id: "calls", "aria-label": "Calls, the newest first" });
const count = el("p", { class: "quiet", role: "status", id: "live-count" }, "Connecting…");
const trouble = el("div", {});
const words = el("input", {
	id: "live-words",
	type: "search",
	autocomplete: "off",
	spellcheck: "false",
	input: () => filter(),
});
const outcomes = el(
	"select",
	{ id: "live-outcome", change: () => filter() },
	...["all", "ok", "error", "failed", "refused"].map((name) =>
		el("option", { value: name === "all" ? "" : name }, name),
	),
);
/** The newest line that is shown. */
let newest = 0;

/** @param {() => void} onChange called when plugins, or what they offer, have changed */
export function beginLive(onChange) {
	show(
		byId("live"),
		el("h2", {}, "Live calls"),
		el(
			"div",
			{ class: "bar" },
			el("label", { for: "live-words" }, "Filter"),
			words,
			el("label", { for: "live-outcome" }, "Outcome"),
			outcomes,
		),
		count,
		trouble,
		rows,
	);
	keepFollowing(onChange);
}

/** @param {() => void} onChange */
async function keepFollowing(onChange) {
	for (;;) {
		try {
			await follow("live", {}, (event, data) => {
				if (event === "changed") return onChange();
				if (event === "off")
					return show(count, "Calls are not recorded here, so there is nothing to show: `audit.enabled` is false.");
				if (event === "problem")
					return show(trouble, problem({ code: data.code, message: data.error, hint: data.hint }));
				if (event === "calls") add(data.calls);
			});
		} catch (error) {
			if (/** @type {{code?: string}} */ (error).code === "PAGE_TOKEN_REQUIRED") return;
			show(trouble, problem(error));
		}
		await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
	}
}

/** @param {Line[]} lines */
function add(lines) {
	show(trouble);
	for (const line of lines) {
		// A stream that is opened again begins with what is known.
		if (line.seq <= newest) continue;
		newest = line.seq;
		rows.prepend(rowOf(line));
	}
	while (rows.children.length > MOST) rows.lastElementChild?.remove();
	filter();
}

/** @param {Line} line */
function rowOf(line) {
	const { time, client, plugin, tool, skill, asked, outcome, code, ms, args, receipt, parent, decision } = line;
	const name = tool ?? skill ?? asked ?? "";
	const who = client?.name ?? client?.door ?? "";
	const at = new Date(time);
	const text = [who, plugin, name, outcome, code, JSON.stringify(args?.redacted ?? {})].join(" ").toLowerCase();
	return el(
		"li",
		{ "data-outcome": outcome, "data-text": text, "data-seq": line.seq },
		el(
			"details",
			{},
			el(
				"summary",
				{},
				el("time", { datetime: time }, clock(at)),
				el("span", { class: "who" }, who),
				el(
					"span",
					{ class: "what" },
					plugin && el("span", { class: "plugin" }, plugin),
					el("code", { class: "name" }, name),
				),
				el("span", { class: `state ${outcome}` }, code ? `${outcome} ${code}` : outcome),
				el("span", { class: "ms" }, ms === undefined ? "" : `${ms} ms`),
			),
			el(
				"dl",
				{},
				...pair("Arguments", el("pre", {}, JSON.stringify(args?.redacted ?? {}, null, 2))),
				...(decision
					? pair("Decision", `${decision.decision}: ${decision.kind}, by ${decision.by} (${decision.rule})`)
					: []),
				...pair("Client", [client?.name, client?.door].filter(Boolean).join(" over ")),
				...(receipt ? pair("Receipt", el("code", {}, receipt)) : []),
				...(parent ? pair("Within", el("code", {}, parent)) : []),
			),
		),
	);
}

/**
 * @param {string} term
 * @param {import("./dom.js").Child} description
 */
function pair(term, description) {
	return [el("dt", {}, term), el("dd", {}, description)];
}

/** @param {Date} at */
function clock(at) {
	return at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

function filter() {
	const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
	let visible = 0;
	for (const row of /** @type {HTMLCollectionOf<HTMLElement>} */ (rows.children)) {
		const { outcome, text = "" } = row.dataset;
		const fits = (outcomes.value === "" || outcome === outcomes.value) && wanted.every((word) => text.includes(word));
		row.hidden = !fits;
		if (fits) visible += 1;
	}
	const all = rows.children.length;
	if (all === 0) return show(count, "No call was recorded yet. This list follows the log; make one from any client.");
	show(
		count,
		visible === all ? `${all} ${all === 1 ? "call" : "calls"}, following the log` : `${visible} of ${all} calls`,
	);
}
