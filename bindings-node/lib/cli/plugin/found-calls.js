import { sampleArguments } from "./sample-arguments.js";

/** How many tools are tried: enough to find one that needs little. */
const TRIES = 12;

/**
 * @typedef {import("../../runtime.js").Runtime} Runtime
 * @typedef {import("../../../index.d.ts").Tool} Tool
 *
 * @typedef {object} FoundCall
 * @property {string} question what a person may say
 * @property {string} tool
 * @property {Record<string, unknown>} arguments
 * @property {string} [request] what the service was asked
 *
 * @typedef {{read?: FoundCall, change?: FoundCall}} FoundCalls
 */

/**
 * A call that only reads and is answered, and one that asks for consent: the simplest there are. Nothing that may change
 * something is called with consent.
 *
 * @param {Runtime} runtime
 * @param {string} prefix
 * @param {string[]} requests those that the service got
 * @returns {Promise<FoundCalls>}
 */
export async function foundCalls(runtime, prefix, requests) {
	const tools = (await runtime.tools({ kind: "flat" })).filter(({ name }) => name.startsWith(`${prefix}_`));
	const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint);
	const changing = tools.filter((tool) => !reading.includes(tool));
	/** @type {FoundCalls} */
	const found = {};
	for (const tool of simplestFirst(reading)) {
		requests.length = 0;
		const call = callOf(tool, prefix);
		const { isError } = await runtime.call(prefix, call.tool, call.arguments);
		if (isError || !(await isFound(runtime, prefix, call))) continue;
		found.read = requests.length === 1 ? { ...call, request: requests[0] } : call;
		break;
	}
	for (const tool of simplestFirst(changing)) {
		const call = callOf(tool, prefix);
		const { content } = await runtime.call(prefix, call.tool, call.arguments);
		const [first] = content;
		if (first && "text" in first && String(first.text).includes('"code":"CONFIRM_REQUIRED"')) {
			found.change = call;
			break;
		}
	}
	return found;
}

/** @param {Tool[]} tools */
function simplestFirst(tools) {
	const needs = (/** @type {Tool} */ { inputSchema }) => /** @type {unknown[]} */ (inputSchema.required ?? []).length;
	return tools.toSorted((a, b) => needs(a) - needs(b)).slice(0, TRIES);
}

/**
 * @param {Tool} tool
 * @param {string} prefix
 * @returns {FoundCall}
 */
function callOf({ name, title, description, inputSchema }, prefix) {
	const tool = name.slice(prefix.length + 1);
	const [sentence = ""] = (description ?? title ?? "")
		.replaceAll(/\s+/g, " ")
		.trim()
		.split(/(?<=[.!?])\s|\.$/);
	const question = sentence.length > 120 ? `${sentence.slice(0, 119)}…` : sentence;
	return { question: question || tool.replaceAll(/[_-]+/g, " "), tool, arguments: sampleArguments(inputSchema) };
}

/**
 * @param {Runtime} runtime
 * @param {string} prefix
 * @param {FoundCall} call
 */
async function isFound(runtime, prefix, { question, tool }) {
	const { hits } = await runtime.search(question, { plugin: prefix, limit: 10 });
	return hits.some(({ kind, name }) => kind === "tool" && name === tool);
}

/**
 * For the README.
 *
 * @param {FoundCalls} calls
 */
export function questionsText({ read, change }) {
	const cell = (/** @type {string} */ text) => text.replaceAll("|", "\\|");
	const rows = [read, change].flatMap((call) =>
		call ? [`| ${cell(call.question)} | \`${call.tool} ${cell(JSON.stringify(call.arguments))}\` |`] : [],
	);
	const table = rows.length > 0 ? ["| question | call |", "|---|---|", ...rows, ""] : [];
	const consent = change ? [`\`${change.tool}\` may change something and needs \`confirm: true\`.`] : [];
	return [...table, ...consent, "`agent-tools discover WORDS...` finds the other tools as a model does."].join("\n");
}
