// How a call ended: what the service said, or why it was not asked.

import { el, problem } from "./dom.js";

/** Types of pictures that are shown. What else is not text is named. */
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/**
 * @param {{content: any[], isError: boolean, ms: number}} result
 * @param {import("./form.js").Form} form
 */
export function resultOf({ content, isError, ms }, form) {
	const payload = payloadOf(content);
	const failure = isError && typeof payload?.code === "string" ? payload : undefined;
	const details = /** @type {string[]} */ (failure?.details ?? []);
	const rest = failure?.code === "ARG_VALIDATION_FAILED" ? form.complain(details) : details;
	const notes = /** @type {string[]} */ (payload?.notes ?? []);
	const receipt = payload?.receipt?.id;
	const parts = content.map((part, at) =>
		at === 0 && payload && "result" in payload ? text(written(payload.result)) : partOf(part),
	);
	return [
		el(
			"p",
			{ class: "line" },
			el("span", { class: `state ${isError ? "failed" : "ready"}` }, isError ? "failed" : "ok"),
			el("span", { class: "quiet" }, `${ms} ms`),
			receipt && el("span", { class: "quiet" }, "receipt ", el("code", {}, receipt)),
		),
		failure && problem({ code: failure.code, message: failure.error, hint: failure.hint }),
		[...rest, ...notes].length > 0 && el("ul", {}, ...[...rest, ...notes].map((line) => el("li", {}, line))),
		...parts,
	];
}

/**
 * What the runtime puts around the service's answer. A number that this language would round is left as it came.
 *
 * @param {any[]} content
 */
function payloadOf(content) {
	const said = content[0]?.text;
	if (typeof said !== "string" || /\d{16}/.test(said)) return undefined;
	try {
		const payload = JSON.parse(said);
		return payload !== null && typeof payload === "object" ? payload : undefined;
	} catch {
		return undefined;
	}
}

/** @param {any} result */
function written(result) {
	if (typeof result === "string") return result;
	if (typeof result?.raw === "string" && Object.keys(result).length === 1) return result.raw;
	return JSON.stringify(result, null, 2);
}

/** @param {any} part */
function partOf(part) {
	if (part.type === "text") return text(part.text);
	if (part.type === "image" && PICTURES.includes(part.mimeType)) {
		return el("img", { src: `data:${part.mimeType};base64,${part.data}`, alt: "Picture that the tool returned" });
	}
	return text(JSON.stringify(part, null, 2));
}

/** @param {string} said */
function text(said) {
	return el("pre", { tabindex: "0", "aria-label": "Result" }, said);
}
