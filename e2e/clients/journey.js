// What each client does with the plugin `demo`: it finds a tool, reads, changes something and runs a skill.

import assert from "node:assert/strict";

/**
 * What becomes of the change that the model wants: `made` once it says `confirm: true`, `refused` by who is asked then,
 * or `allowed` from the beginning, so that it is made twice.
 *
 * @typedef {"made" | "refused" | "allowed"} Change
 *
 * @typedef {{tool: string, arguments: Record<string, unknown>, answer: RegExp}} Step
 */

/** The names that clients must show to their models. */
export const TOOLS = ["agent_tools_call", "agent_tools_discover", "agent_tools_run_skill"];

const TITLE = "Written by a real client";
const create = { plugin: "demo", toolName: "create_issue", arguments: { title: TITLE } };

const created = (/** @type {number} */ number) => new RegExp(`"number":${number},"title":"${TITLE}"`);
const summary = (/** @type {number} */ total) => new RegExp(`"total":${total}[^0-9]`);

/** @type {Record<Change, {unconfirmed: RegExp, confirmed: RegExp, counted: RegExp}>} */
const ANSWERS = {
	made: { unconfirmed: /"code":"CONFIRM_REQUIRED"/, confirmed: created(4), counted: summary(4) },
	refused: { unconfirmed: /"code":"CONFIRM_REQUIRED"/, confirmed: /"code":"CONSENT_DENIED"/, counted: summary(3) },
	allowed: { unconfirmed: created(4), confirmed: created(5), counted: summary(5) },
};

/**
 * @param {Change} change
 * @returns {Step[]}
 */
export function journey(change) {
	const { unconfirmed, confirmed, counted } = ANSWERS[change];
	return [
		{
			tool: "agent_tools_discover",
			arguments: { query: "list issues" },
			answer: /agent_tools_call \{"plugin":"demo","toolName":"list_issues","arguments":\{\}\}/,
		},
		{
			tool: "agent_tools_call",
			arguments: { plugin: "demo", toolName: "list_issues", arguments: {} },
			answer: /"isError":false.*"title":"Export notes as Markdown"/s,
		},
		{ tool: "agent_tools_call", arguments: create, answer: unconfirmed },
		{ tool: "agent_tools_call", arguments: { ...create, confirm: true }, answer: confirmed },
		{
			tool: "agent_tools_run_skill",
			arguments: { plugin: "demo", skill: "issue-summary", arguments: {} },
			answer: counted,
		},
	];
}

/** What the model says at the end of its journey. */
export const END = "The journey is over.";

/**
 * The journey as a script for a model.
 *
 * @param {(tool: string) => string} nameOf what the client calls a tool of ours
 * @param {{first?: import("../scripted-model/script.js").Turn[], wrap?: (step: Step) => object}} [how] `first`: turns
 *   before; `wrap`: the arguments that a client wants
 */
export function turns(nameOf, { first = [], wrap = (step) => step.arguments } = {}) {
	const steps = journey("made").map((step) => ({ tool_calls: [{ name: nameOf(step.tool), arguments: wrap(step) }] }));
	return [...first, ...steps, { text: END }];
}

/**
 * The client has brought the right answer of each call to its model.
 *
 * @param {import("../scripted-model/scripted-model.js").ScriptedModel} model
 * @param {{change: Change, before?: number}} how `before`: how many turns came before the journey
 */
export function assertPlayed(model, { change, before = 0 }) {
	assert.deepEqual(model.complaints, []);
	const steps = journey(change);
	// Some clients put the answer into JSON of their own.
	const results = model.requests.slice(1 + before).map(({ tool_result }) => tool_result.replaceAll('\\"', '"'));
	assert.equal(results.length, steps.length, results.join("\n"));
	for (const [at, { answer }] of steps.entries()) assert.match(results[at] ?? "", answer);
}

/**
 * The journey of a client that has no model.
 *
 * @param {Change} change
 * @param {(tool: string, args: Record<string, unknown>) => Promise<string>} call gives the text of the answer
 */
export async function walk(change, call) {
	for (const { tool, arguments: args, answer } of journey(change)) assert.match(await call(tool, args), answer);
}
