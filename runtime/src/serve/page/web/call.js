// Trying a call: the same way as every client's, with the person's yes where the policy wants one.

import { consent, forget } from "./consent.js";
import { byId, el, problem, show } from "./dom.js";
import { formOf } from "./form.js";
import { marksOf } from "./plugins.js";
import { resultOf } from "./result.js";
import { ask, follow, tell } from "./server.js";

/** @typedef {{plugin: string, kind: string, name: string}} Entry */

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
		consequence(known) && el("p", { class: "quiet" }, consequence(known)),
		el("form", { novalidate: true, submit }, form.element, el("div", { class: "line" }, button, stop)),
		outcome,
	];
}

/**
 * What comes between the button and the service.
 *
 * @param {{effect: string, effectBy: string, decision: string, rule: string}} known
 */
function consequence({ effect, effectBy, decision, rule }) {
	if (decision === "deny") return `It is not sent: ${rule}.`;
	if (effect === "read-only" && decision === "allow") return "";
	if (decision === "allow") return `Your policy lets it be sent without a question: ${rule}.`;
	return `You are asked before it is sent: ${effectBy}.`;
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
