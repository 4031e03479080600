// Elements, made of names and texts. Whatever becomes text goes through `visible`, and nothing ever becomes markup.

import { visible } from "./visible.js";

/**
 * @typedef {Node | string | number | false | null | undefined} Child
 * @typedef {Record<string, string | number | boolean | undefined | ((event: any) => void)>} Attributes
 */

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes] a function listens to the event of that name, `true` stands alone, `false` is left out
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function el(name, attributes = {}, ...children) {
	const element = document.createElement(name);
	set(element, attributes);
	append(element, children);
	return element;
}

/**
 * @param {string} name
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function svg(name, attributes = {}, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	set(element, attributes);
	append(element, children);
	return element;
}

/**
 * Shows these in place of what was there.
 *
 * @param {Element} parent
 * @param {...Child} children
 */
export function show(parent, ...children) {
	parent.replaceChildren();
	append(parent, children);
}

/**
 * An element that the page has.
 *
 * @param {string} id
 */
export function byId(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`the page has no #${id}`);
	return element;
}

/**
 * What went wrong, with what to do about it.
 *
 * @param {unknown} error
 */
export function problem(error) {
	const { code, message, hint } = /** @type {{code?: string, message?: string, hint?: string}} */ (error);
	return el(
		"div",
		{ class: "problem", role: "alert" },
		el("p", {}, code && el("code", {}, code), code && " ", message ?? String(error)),
		hint && el("p", { class: "quiet" }, hint),
	);
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function set(element, attributes) {
	for (const [key, value] of Object.entries(attributes)) {
		if (typeof value === "function") element.addEventListener(key, value);
		else if (value === true) element.setAttribute(key, "");
		else if (value !== undefined && value !== false) element.setAttribute(key, String(value));
	}
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function append(parent, children) {
	for (const child of children) {
		if (child === null || child === undefined || child === false) continue;
		parent.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
	}
}
