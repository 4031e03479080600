// Tabs as the ARIA practices have them: arrow keys move, Home and End jump, one tab is in the tab order.

import { byId } from "./dom.js";

/** No id of an element: a browser would begin there, behind the tabs. */
const MARK = "#/";

/** @type {Map<string, () => void>} */
const shown = new Map();
const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[role="tab"]')]);

/**
 * @param {Record<string, () => void>} sections what to do when a section comes into sight
 */
export function beginTabs(sections) {
	for (const [id, onShow] of Object.entries(sections)) shown.set(id, onShow);
	for (const [at, tab] of tabs.entries()) {
		tab.addEventListener("click", () => open(panelOf(tab)));
		tab.addEventListener("keydown", (event) => {
			const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
			if (to === undefined) return;
			event.preventDefault();
			const next = tabs[(to + tabs.length) % tabs.length];
			if (!next) return;
			open(panelOf(next));
			next.focus();
		});
	}
	const wanted = location.hash.slice(MARK.length);
	open(shown.has(wanted) ? wanted : panelOf(/** @type {HTMLElement} */ (tabs[0])));
}

/** @param {string} id the section's */
export function open(id) {
	for (const tab of tabs) {
		const chosen = panelOf(tab) === id;
		tab.setAttribute("aria-selected", String(chosen));
		tab.tabIndex = chosen ? 0 : -1;
		byId(panelOf(tab)).hidden = !chosen;
		if (chosen) bringIntoSight(tab);
	}
	history.replaceState(null, "", `${MARK}${id}`);
	shown.get(id)?.();
}

/**
 * Not by `scrollIntoView`, behind which the next Tab would begin.
 *
 * @param {HTMLElement} tab
 */
function bringIntoSight(tab) {
	const list = tab.parentElement;
	if (!list) return;
	const left = tab.offsetLeft - list.offsetLeft;
	const right = left + tab.offsetWidth - list.clientWidth;
	list.scrollLeft = Math.max(right, Math.min(list.scrollLeft, left));
}

/** @param {string} id */
export function isOpen(id) {
	return !byId(id).hidden;
}

/** @param {HTMLElement} tab */
function panelOf(tab) {
	return tab.getAttribute("aria-controls") ?? "";
}
