// The plugins and their state, and what each one offers.

import { byId, el, problem, show } from "./dom.js";
import { ask } from "./server.js";

/**
 * @typedef {{plugin: string, kind: "tool" | "skill", name: string, title?: string, description: string, effect: string,
 *   decision: string, broken?: string}} Entry
 * @typedef {{prefix: string, name: string, description?: string, state: string, reason?: string, tools?: number, skills?: number,
 *   heldBack?: string[], brokenSkills?: string[]}} Plugin
 */

/** What may be offered next, by state. */
const NEXT = /** @type {Record<string, string>} */ ({
	"needs set-up": "Before it can be used:",
	failed: "It is tried again on its next use.",
});

/** @type {(entry: Entry) => void} */
let onTry = () => {};
/** Those that are open, by prefix. @type {Set<string>} */
const opened = new Set();

/** @param {(entry: Entry) => void} toTry */
export function beginPlugins(toTry) {
	onTry = toTry;
}

export async function showPlugins() {
	const panel = byId("plugins");
	try {
		const { plugins, warnings } = await ask("overview");
		show(
			panel,
			el("h2", {}, "Plugins"),
			warnings.length > 0 && warningsOf(warnings),
			plugins.length === 0 && none(),
			el("ul", { class: "rows" }, ...plugins.map(row)),
		);
	} catch (error) {
		show(panel, problem(error));
	}
}

function none() {
	return el(
		"p",
		{},
		"There are no plugins. Name a service in ",
		el("code", {}, "agent-tools.json"),
		", or install a plugin beside it; it appears here at once.",
	);
}

/** @param {string[]} warnings */
function warningsOf(warnings) {
	const count = warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`;
	const list = el("ul", { class: "warnings" }, ...warnings.map((text) => el("li", {}, text)));
	return el("details", { class: "all-warnings" }, el("summary", {}, count), list);
}

/** @param {Plugin} plugin */
function row(plugin) {
	const { prefix, state, description, reason, heldBack = [], brokenSkills = [] } = plugin;
	const body = el("div", { class: "offers", id: `offers-${prefix}`, hidden: !opened.has(prefix) });
	const button = el(
		"button",
		{
			type: "button",
			class: "quiet-button",
			"aria-expanded": String(opened.has(prefix)),
			"aria-controls": body.id,
			"aria-label": `Tools of ${prefix}`,
			disabled: state === "needs set-up",
			click: () => toggle(prefix, button, body),
		},
		countsOf(plugin),
	);
	if (opened.has(prefix)) fill(prefix, body);
	return el(
		"li",
		{ class: "row", "data-plugin": prefix, "data-state": state },
		el("div", { class: "line" }, el("h3", {}, prefix), stateOf(state), button),
		description && el("p", { class: "quiet" }, description),
		reason &&
			el("div", { class: "reason" }, NEXT[state] && el("p", { class: "quiet" }, NEXT[state]), el("p", {}, reason)),
		heldBack.length > 0 &&
			el(
				"div",
				{ class: "reason" },
				el("p", {}, "Held back until you accept them: ", ...separated(heldBack.map((name) => el("code", {}, name)))),
				el("p", { class: "quiet" }, "Look at them with ", el("code", {}, `agent-tools trust ${prefix}`), "."),
			),
		...brokenSkills.map((text) => el("div", { class: "reason" }, el("p", {}, text))),
		body,
	);
}

/** @param {Plugin} plugin */
function countsOf({ tools, skills }) {
	if (tools === undefined) return "Show tools";
	const parts = [`${tools} ${tools === 1 ? "tool" : "tools"}`];
	if (skills) parts.push(`${skills} ${skills === 1 ? "skill" : "skills"}`);
	return parts.join(", ");
}

/** @param {Node[]} nodes */
function separated(nodes) {
	return nodes.flatMap((node, at) => (at === 0 ? [node] : [", ", node]));
}

/**
 * @param {string} prefix
 * @param {HTMLElement} button
 * @param {HTMLElement} body
 */
function toggle(prefix, button, body) {
	const open = body.hidden;
	body.hidden = !open;
	button.setAttribute("aria-expanded", String(open));
	if (!open) return opened.delete(prefix);
	opened.add(prefix);
	fill(prefix, body);
}

/**
 * @param {string} prefix
 * @param {HTMLElement} body
 */
async function fill(prefix, body) {
	show(body, el("p", { class: "quiet", role: "status" }, "Listing…"));
	try {
		const offers = await ask("offers", { plugin: prefix });
		show(
			body,
			offers.problem && el("p", { class: "reason" }, offers.problem),
			el("ul", { class: "entries" }, ...offers.entries.map((/** @type {Entry} */ entry) => entryOf(entry, onTry))),
			offers.entries.length === 0 && el("p", { class: "quiet" }, "It offers nothing."),
		);
		await renew(prefix);
	} catch (error) {
		show(body, problem(error));
	}
}

/**
 * What listing a plugin has made of its state.
 *
 * @param {string} prefix
 */
async function renew(prefix) {
	const overview = await ask("overview");
	const plugin = overview.plugins.find((/** @type {Plugin} */ known) => known.prefix === prefix);
	const row = [...byId("plugins").querySelectorAll("li")].find((known) => known.dataset.plugin === prefix);
	if (!plugin || !row) return;
	row.dataset.state = plugin.state;
	row.querySelector(".line .state")?.replaceWith(stateOf(plugin.state));
	const button = row.querySelector("button[aria-expanded]");
	if (button) show(button, countsOf(plugin));
}

/** @param {string} state */
function stateOf(state) {
	return el("span", { class: `state ${state.replaceAll(/\W/g, "-")}` }, state);
}

/**
 * One tool or skill, with a way to try it.
 *
 * @param {Entry} entry
 * @param {(entry: Entry) => void} toTry
 */
function entryOf(entry, toTry) {
	const { name, kind, description, broken } = entry;
	return el(
		"li",
		{},
		el(
			"div",
			{ class: "line" },
			el("code", { class: "name" }, name),
			...marksOf(entry),
			!broken &&
				el(
					"button",
					{ type: "button", class: "quiet-button", "aria-label": `Try the ${kind} ${name}`, click: () => toTry(entry) },
					"Try",
				),
		),
		el("p", { class: "quiet clamped" }, broken ?? description),
	);
}

/**
 * What it is and may do, and what becomes of a call.
 *
 * @param {{kind: string, effect?: string, decision?: string}} entry
 */
export function marksOf({ kind, effect, decision }) {
	return [
		kind === "skill" && el("span", { class: "mark" }, "skill"),
		effect && el("span", { class: `mark ${effect}` }, effect),
		decision === "ask" && effect === "read-only" && el("span", { class: "mark" }, "asked about"),
	];
}
