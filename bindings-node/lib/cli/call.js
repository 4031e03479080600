import { readArguments } from "./call/arguments.js";
import { askPerson } from "./call/ask-person.js";
import { printContent, printText } from "./call/content.js";
import { exitCodeFor, failureOf, sayFailure } from "./call/failure.js";
import { skillAnswer } from "./call/skill-answer.js";
import { Spinner } from "./call/spinner.js";
import { wholeReply } from "./call/whole.js";
import { paint } from "./colour.js";
import { chosenPrefix } from "./known-plugin.js";
import { findOffer, offersOf, unknownOffer } from "./offers.js";
import { plainText } from "./plain-text.js";
import { print, say, sayAs } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { canAsk } from "./terminal-question.js";

/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {import("../runtime.js").Runtime} Runtime
 * @typedef {import("../../index.d.ts").ToolReply} ToolReply
 * @typedef {import("../../index.d.ts").CallOptions} CallOptions
 * @typedef {import("./offers.js").Kind} Kind
 * @typedef {import("./offers.js").Offer} Offer
 *
 * @typedef {object} Wanted
 * @property {string} prefix
 * @property {string} name
 * @property {Kind} kind
 * @property {Offer} [offer] none where the plugin does not list it
 * @property {Record<string, unknown>} args
 */

/**
 * @param {CommandOptions} options
 * @param {string} prefix
 * @param {string} name
 */
export function callTool(options, prefix, name) {
	return perform(options, prefix, name, "tool");
}

/**
 * @param {CommandOptions} options
 * @param {string} prefix
 * @param {string} name
 */
export function runSkill(options, prefix, name) {
	return perform(options, prefix, name, "skill");
}

/**
 * @param {CommandOptions} options
 * @param {string} given
 * @param {string} name
 * @param {Kind} kind
 */
async function perform(options, given, name, kind) {
	await runRuntime(options, async (runtime) => {
		const prefix = chosenPrefix(given, await runtime.status());
		const offers = await offersOf(runtime, prefix);
		const offer = findOffer(offers, name, kind);
		const args = await readArguments(options, offer?.schema);
		const reply = await send(runtime, { prefix, name: offer?.name ?? name, kind, offer, args }, options.confirm);
		const failure = failureOf(reply);
		if (failure && /^UNKNOWN_(TOOL|SKILL)$/.test(failure.code)) throw unknownOffer(prefix, name, offers, kind);

		if (options.json) await print(`${JSON.stringify(reply, null, 2)}\n`);
		if (failure) sayFailure(failure, prefix, name);
		else if (reply.isError) sayAs("error", `${prefix}/${name} failed: ${textOf(reply)}`);
		else if (!options.json) await show(reply, kind, options.out);
		sayReceipt(reply, failure ?? (kind === "skill" ? skillAnswer(textOf(reply)) : undefined));
		if (reply.isError) process.exitCode = exitCodeFor(failure);
	});
}

/**
 * Through the same guard as every door. Where there is a person, that person is asked, and `confirm` says only that the
 * call may come so far; elsewhere it is what `--confirm` says.
 *
 * @param {Runtime} runtime
 * @param {Wanted} wanted
 * @param {boolean} [confirmed]
 */
async function send(runtime, { prefix, name, kind, offer, args }, confirmed = false) {
	const person = canAsk();
	const confirm = confirmed || person;
	const spinner = new Spinner(`${prefix}/${name}`);
	/** @type {CallOptions} */
	const how = {
		onProgress: (progress) => spinner.report(progress),
		...(person && {
			ask: async (question) => {
				spinner.stop();
				const answer = await askPerson(question);
				spinner.start();
				return answer;
			},
		}),
	};
	try {
		if (kind === "skill") return await runtime.runSkill(prefix, name, args, { ...how, ...(confirm && { confirm }) });
		// What is not listed may be held back or denied, which that door explains.
		if (!offer) return await runtime.call(prefix, name, args, { ...how, ...(confirm && { confirm }) });
		const agreed = offer.ownConfirm ? confirmed : confirm;
		const view = { kind: /** @type {const} */ ("flat"), plugin: prefix };
		const all = agreed ? { ...args, confirm: true } : args;
		return await wholeReply(runtime, prefix, await runtime.callTool(offer.flatName, all, { ...how, view }));
	} finally {
		spinner.stop();
	}
}

/**
 * @param {ToolReply} reply
 * @param {Kind} kind
 * @param {string} [out]
 */
async function show(reply, kind, out) {
	if (kind === "skill") {
		const { text, notes } = skillAnswer(textOf(reply));
		for (const note of notes) sayAs("note", plainText(note));
		return printText(text);
	}
	const { content, structuredContent } = reply;
	const notes = notesOf(reply);
	const parts = notes ? content.slice(0, -1) : content;
	for (const note of notes ?? []) sayAs("note", plainText(note));
	if (parts.length === 0 && structuredContent !== undefined) await printText(JSON.stringify(structuredContent));
	await printContent(parts, out);
}

/**
 * What the runtime remarks on a call, behind what the tool said.
 *
 * @param {ToolReply} reply
 * @returns {string[] | undefined}
 */
function notesOf({ content }) {
	const last = content.at(-1);
	if (content.length < 2 || last?.type !== "text" || !String(last.text).startsWith('{"notes":["')) return undefined;
	const { notes, ...more } = JSON.parse(String(last.text));
	return Object.keys(more).length === 0 ? notes : undefined;
}

/** @param {ToolReply} reply */
function textOf({ content }) {
	return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/**
 * @param {ToolReply} reply
 * @param {{receipt?: {id: string}}} [beside]
 */
function sayReceipt({ _meta }, beside) {
	const { id } = /** @type {{id?: string}} */ (_meta?.["agent-tools/receipt"] ?? beside?.receipt ?? {});
	if (id) say(paint("gray", `receipt: ${id}`, process.stderr));
}
