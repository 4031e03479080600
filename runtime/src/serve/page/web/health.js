// Whether all is well: the server, its plugins, and the call log.

import { byId, el, problem, show } from "./dom.js";
import { ask } from "./server.js";

/** @typedef {{plugin: string, tool: string, outcome: string, calls: number, p50: number | null, p95: number | null}} Group */

const facts = el("div", {});
const log = el("div", { id: "log", "aria-live": "polite" });

export function beginHealth() {
	show(
		byId("health"),
		el("h2", {}, "Health"),
		facts,
		el(
			"div",
			{ class: "line" },
			el("h3", {}, "Call log"),
			el("button", { type: "button", class: "quiet-button", click: check }, "Check again"),
		),
		log,
	);
}

export async function showHealth() {
	check();
	try {
		const { version, upMs, children, plugins, warnings } = await ask("overview");
		const states = sums(plugins.map((/** @type {{state: string}} */ { state }) => [state, 1]));
		const counted = states.map(([state, count]) => `${count} ${state}`).join(", ");
		show(
			facts,
			table("Server", [
				["Version", version],
				["Up for", duration(upMs)],
				["Child processes", String(children)],
				["Plugins", counted || "none"],
				["Warnings", String(warnings.length)],
			]),
		);
	} catch (error) {
		show(facts, problem(error));
	}
}

async function check() {
	show(log, el("p", { class: "quiet", role: "status" }, "Reading the whole log…"));
	try {
		const { off, verdict, counts } = await ask("record");
		show(
			log,
			...(off
				? [el("p", { class: "notice" }, "Calls are not recorded here.")]
				: [verdictOf(verdict), ...countsOf(counts)]),
		);
	} catch (error) {
		show(log, problem(error));
	}
}

/** @param {any} verdict */
function verdictOf({ ok, lines, files, folder, lost, broken, head }) {
	const where = broken?.file ? ` (${broken.file}, line ${broken.line})` : "";
	return el(
		"div",
		{ class: ok ? "verdict" : "problem" },
		el(
			"p",
			{ class: "line" },
			el("span", { class: `state ${ok ? "ready" : "failed"}` }, ok ? "whole" : "not whole"),
			`${lines} lines in ${files} ${files === 1 ? "file" : "files"}`,
		),
		broken && el("p", {}, `${broken.what}: ${broken.about}${where}`),
		lost > 0 && el("p", {}, `${lost} lines could not be written.`),
		el("p", { class: "quiet" }, folder),
		head && el("p", { class: "quiet" }, "Head ", el("code", { class: "hash" }, head.hash)),
	);
}

/** @param {{calls: number, groups: Group[]}} counts */
function countsOf({ calls, groups }) {
	if (calls === 0) return [el("p", { class: "quiet" }, "No call was recorded yet.")];
	const outcomes = sums(groups.map(({ outcome, calls }) => [outcome, calls]));
	const cells = groups
		.slice(0, 50)
		.map(({ plugin, tool, outcome, calls, p50, p95 }) => [
			[plugin, tool].filter(Boolean).join("/"),
			outcome,
			String(calls),
			p50 === null ? "" : `${p50} ms`,
			p95 === null ? "" : `${p95} ms`,
		]);
	return [
		table("Calls by outcome", outcomes),
		el(
			"div",
			{ class: "scroll", tabindex: "0", role: "region", "aria-label": "Calls by tool" },
			el(
				"table",
				{},
				el("caption", {}, "By tool and outcome, most calls first"),
				el(
					"thead",
					{},
					el(
						"tr",
						{},
						...["Tool", "Outcome", "Calls", "Median", "95 %"].map((text) => el("th", { scope: "col" }, text)),
					),
				),
				el("tbody", {}, ...cells.map((row) => el("tr", {}, ...row.map((text) => el("td", {}, text))))),
			),
		),
	];
}

/**
 * @param {string} caption
 * @param {(string | undefined)[][]} rows
 */
function table(caption, rows) {
	const lines = rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)));
	return el("table", { class: "facts" }, el("caption", {}, caption), el("tbody", {}, ...lines));
}

/** @param {number} ms */
function duration(ms) {
	const minutes = Math.floor(ms / 60_000);
	if (minutes < 1) return `${Math.floor(ms / 1000)} s`;
	if (minutes < 60) return `${minutes} min`;
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * The numbers of each name together.
 *
 * @param {[string, number][]} counted
 * @returns {[string, string][]}
 */
function sums(counted) {
	/** @type {Map<string, number>} */
	const sum = new Map();
	for (const [name, count] of counted) sum.set(name, (sum.get(name) ?? 0) + count);
	return [...sum].map(([name, count]) => [name, String(count)]);
}
