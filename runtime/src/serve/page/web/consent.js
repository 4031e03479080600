// Asks whether a call may be made. Everything but the button that says so is a no.

import { byId, el, show } from "./dom.js";

/** @typedef {{plugin: string, name: string, subject: string, kind: string, consequence: string, arguments: Record<string, unknown>}} About */

/** Ends the dialog that is open, if one is. */
let close = () => {};

/** What is not waited for any more is not asked any more. */
export function forget() {
	close();
}

/**
 * @param {About} about
 * @returns {Promise<"once" | "no">}
 */
export function consent({ plugin, name, subject, kind, consequence, arguments: sent }) {
	const dialog = /** @type {HTMLDialogElement} */ (byId("consent"));
	/** @type {"once" | "no"} */
	let answer = "no";
	const choose = (/** @type {"once" | "no"} */ chosen) => () => {
		answer = chosen;
		dialog.close();
	};
	const no = el("button", { type: "button", class: "primary", click: choose("no") }, "No");
	show(
		dialog,
		el("h2", { id: "consent-title" }, `May this ${subject} be called?`),
		el(
			"p",
			{ class: "line" },
			el("span", { class: "plugin" }, plugin),
			el("code", { class: "name" }, name),
			el("span", { class: `mark ${kind}` }, kind),
		),
		el("p", { id: "consequence" }, consequence),
		el("h3", {}, "Arguments"),
		el("pre", { tabindex: "0", "aria-label": "Arguments" }, JSON.stringify(sent, null, 2)),
		el("div", { class: "line end" }, no, el("button", { type: "button", click: choose("once") }, "Allow once")),
	);
	dialog.setAttribute("aria-describedby", "consequence");
	close = () => dialog.close();
	dialog.showModal();
	// An Enter that was meant for the form agrees to nothing.
	no.focus();
	return new Promise((resolve) => {
		dialog.addEventListener("close", () => resolve(answer), { once: true });
	});
}
