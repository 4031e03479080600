// Trying a call: the same way as every client's, with the person's yes where the policy wants one.

import { consent, forget } from "./consent.js";
import { byId, el, problem, show } from "./dom.js";
import { formOf } from "./form.js";
import { marksOf } from "./plugins.js";
import { ask, follow, tell } from "./server.js";

/** @typedef {{plugin: string, kind: string, name: string}} Entry */

/** Types of pictures that are shown. What else is not text is named. */
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const tool = el("div", { id: "tool" });
const plugins = el("select", { id: "of-plugin", change: () => listOf(plugins.value) });
const entries = el("select", { id: "of-entry", change: () => describe(chosen()) });
/** Counts what was chosen, as answers may overtake each other. */
let latest = 0;

export function beginCall() {
	show(
		byId("try"),
		el("h2", {}, "Try a call"),
		el(
			"div",
			{ class: "bar" },
			el("label", { for: "of-plugin" }, "Plugin"),
			plugins,
			el("label", { for: "of-entry" }, "Tool or skill"),
			entries,
		),
		tool,
	);
	choosePlugin();
}

/**
 * Shows the form of this one.
 *
 * @param {Entry} entry
 */
export async function tryEntry(entry) {
	await choosePlugin(entry.plugin);
	await listOf(entry.plugin, entry);
	tool.querySelector("h3")?.focus();
}

/** @param {string} [prefix] */
async function choosePlugin(prefix) {
	try {
		const overview = await ask("overview");
		const usable = overview.plugins.filter((/** @type {{state: string}} */ { state }) => state !== "needs set-up");
		show(
			plugins,
			el("option", { value: "" }, "choose…"),
			...usable.map((/** @type {{prefix: string}} */ { prefix }) => el("option", { value: prefix }, prefix)),
		);
		if (prefix) plugins.value = prefix;
	} catch (error) {
		show(tool, problem(error));
	}
}

/** @returns {Entry | undefined} */
function chosen() {
	return entries.value === "" ? undefined : JSON.parse(entries.value);
}

/**
 * @param {string} plugin
 * @param {Entry} [wanted]
 */
async function listOf(plugin, wanted) {
	latest += 1;
	const mine = latest;
	show(tool);
	show(entries);
	if (plugin === "") return;
	try {
		const offers = await ask("offers", { plugin });
		if (mine !== latest) return;
		const options = offers.entries.map((/** @type {Entry} */ { kind, name }) =>
			el("option", { value: textOf({ plugin, kind, name }) }, name),
		);
		show(entries, el("option", { value: "" }, "choose…"), ...options);
		if (wanted) {
			entries.value = textOf(wanted);
			await describe(wanted);
		}
	} catch (error) {
		if (mine === latest) show(tool, problem(error));
	}
}

/** @param {Entry} entry */
function textOf({ plugin, kind, name }) {
	return JSON.stringify({ plugin, kind, name });
}

/** @param {Entry} [entry] */
async function describe(entry) {
	latest += 1;
	const mine = latest;
	show(tool);
	if (!entry) return;
	const { plugin, kind, name } = entry;
	try {
		const known = await ask("entry", { plugin, kind, name });
		if (mine === latest) show(tool, ...toolOf(entry, known));
	} catch (error) {
		if (mine === latest) show(tool, problem(error));
	}
}

/**
 * @param {Entry} entry
 * @param {any} known
 */
function toolOf(entry, known) {
	const form = formOf(known.inputSchema ?? { type: "object" });
	const outcome = el("div", { id: "outcome", "aria-live": "polite" });
	const button = el("button", { type: "submit", class: "primary" }, "Call");
	const stop = el("button", { type: "button", hidden: true }, "Cancel");
	const submit = async (/** @type {Event} */ event) => {
		event.preventDefault();
		const sent = form.read();
		if (!sent) return;
		button.disabled = true;
		stop.hidden = false;
		const cancel = new AbortController();
		stop.onclick = () => cancel.abort();
		show(outcome, el("p", { class: "quiet", role: "status" }, "Calling…"));
		try {
			await run({ ...entry, arguments: sent }, cancel.signal, outcome, form);
		} catch (error) {
			show(outcome, cancel.signal.aborted ? el("p", { class: "notice" }, "Cancelled.") : problem(error));
		} finally {
			forget();
			button.disabled = false;
			stop.hidden = true;
		}
	};
	return [
		el(
			"h3",
			{ tabindex: "-1", class: "line" },
			el("span", { class: "plugin" }, known.plugin),
			el("code", { class: "name" }, known.name),
			...marksOf(known),
		),
		el("p", { class: "described" }, known.description),
		known.args && el("p", { class: "quiet" }, known.args),
		known.effect !== "read-only" && el("p", { class: "quiet" }, `You are asked before it is sent: ${known.effectBy}.`),
		el("form", { novalidate: true, submit }, form.element, el("div", { class: "line" }, button, stop)),
		outcome,
	];
}

/**
 * @param {Entry & {arguments: Record<string, unknown>}} call
 * @param {AbortSignal} signal
 * @param {HTMLElement} outcome
 * @param {import("./form.js").Form} form
 */
async function run({ plugin, kind, name, arguments: sent }, signal, outcome, form) {
	let ended = false;
	await follow("call", { body: { plugin, kind, name, arguments: sent }, signal }, async (event, data) => {
		if (event === "question") return answer(data, outcome);
		if (event === "expired") return forget();
		if (event === "progress") {
			const of = data.total ? ` of ${data.total}` : "";
			return show(outcome, el("p", { class: "quiet", role: "status" }, `${data.progress}${of} ${data.message ?? ""}`));
		}
		if (event === "result") {
			ended = true;
			show(outcome, ...resultOf(data, form));
		}
	});
	if (!ended)
		show(
			outcome,
			problem({
				message: "the answer ended before the result came",
				hint: "The log says whether it was sent: see Live calls.",
			}),
		);
}

/**
 * @param {{id: string, about: import("./consent.js").About}} question
 * @param {HTMLElement} outcome
 */
async function answer({ id, about }, outcome) {
	const said = await consent(about);
	try {
		await tell("answer", { question: id, answer: said });
	} catch (error) {
		// A question that nobody waits for has its result on the way.
		if (/** @type {{code?: string}} */ (error).code !== "NO_SUCH_QUESTION") show(outcome, problem(error));
	}
}

/**
 * @param {{content: any[], isError: boolean, ms: number}} result
 * @param {import("./form.js").Form} form
 */
function resultOf({ content, isError, ms }, form) {
	const failure = isError ? failureOf(content) : undefined;
	const details = /** @type {string[]} */ (failure?.details ?? []);
	const rest = failure?.code === "ARG_VALIDATION_FAILED" ? form.complain(details) : details;
	return [
		el(
			"p",
			{ class: "line" },
			el("span", { class: `state ${isError ? "failed" : "ready"}` }, isError ? "failed" : "ok"),
			el("span", { class: "quiet" }, `${ms} ms`),
		),
		failure && problem({ code: failure.code, message: failure.error, hint: failure.hint }),
		rest.length > 0 && el("ul", {}, ...rest.map((detail) => el("li", {}, detail))),
		...content.map(partOf),
	];
}

/** @param {any[]} content */
function failureOf(content) {
	try {
		const payload = JSON.parse(content[0]?.text);
		return typeof payload.code === "string" ? payload : undefined;
	} catch {
		return undefined;
	}
}

/** @param {any} part */
function partOf(part) {
	if (part.type === "text") return el("pre", { tabindex: "0", "aria-label": "Result" }, pretty(part.text));
	if (part.type === "image" && PICTURES.includes(part.mimeType)) {
		return el("img", { src: `data:${part.mimeType};base64,${part.data}`, alt: "Picture that the tool returned" });
	}
	return el("pre", { tabindex: "0", "aria-label": "Result" }, JSON.stringify(part, null, 2));
}

/**
 * JSON is set in lines. A number that this language would round stays as it came.
 *
 * @param {string} text
 */
function pretty(text) {
	if (/\d{16}/.test(text)) return text;
	try {
		const value = JSON.parse(text);
		return typeof value === "object" ? JSON.stringify(value, null, 2) : text;
	} catch {
		return text;
	}
}
