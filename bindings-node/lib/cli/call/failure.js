import { calledAs } from "../called-as.js";
import { plainText } from "../plain-text.js";
import { say, sayAs } from "../report.js";

/**
 * @typedef {import("../../../index.d.ts").ToolReply} ToolReply
 *
 * @typedef {object} Failure
 * @property {string} code
 * @property {string} error
 * @property {string} [hint]
 * @property {unknown} [details]
 * @property {unknown} [result] what the service said
 * @property {{id: string}} [receipt]
 */

/** The codes of a call that was not sent, as somebody has to agree first. */
const REFUSED = new Set(["CONFIRM_REQUIRED", "CONSENT_DENIED", "POLICY_DENIED", "DEFINITION_CHANGED"]);
export const REFUSED_EXIT = 3;

/**
 * The runtime's own word on a call that failed; a tool's own error has none.
 *
 * @param {ToolReply} reply
 * @returns {Failure | undefined}
 */
export function failureOf({ isError, content }) {
	const [first] = content;
	if (!isError || first?.type !== "text") return undefined;
	try {
		const failure = JSON.parse(String(first.text));
		const own = typeof failure?.code === "string" && typeof failure.error === "string" && failure.isError === true;
		return own ? failure : undefined;
	} catch {
		return undefined;
	}
}

/** @param {Failure | undefined} failure */
export function exitCodeFor(failure) {
	return failure && REFUSED.has(failure.code) ? REFUSED_EXIT : 1;
}

/**
 * @param {Failure} failure
 * @param {string} prefix
 * @param {string} name
 */
export function sayFailure(failure, prefix, name) {
	const { error, details, result } = failure;
	sayAs("error", plainText(error.replace("`confirm: true`", "--confirm")));
	if (Array.isArray(details)) for (const detail of details) say(plainText(String(detail)), { indent: 2 });
	if (result !== undefined) say(plainText(typeof result === "string" ? result : JSON.stringify(result, null, 2)));
	const hint = hintFor(failure, prefix, name);
	if (hint) sayAs("hint", plainText(hint));
}

/**
 * What a person does about it, where the runtime's own hint is meant for a model.
 *
 * @param {Failure} failure
 * @param {string} prefix
 * @param {string} name
 */
function hintFor({ code, hint }, prefix, name) {
	switch (code) {
		case "CONFIRM_REQUIRED":
			return "If you want it, repeat the command with --confirm, or on a terminal, where you are asked.";
		case "CONSENT_DENIED":
			return undefined;
		case "POLICY_DENIED":
			return `What decided: ${calledAs()} policy explain ${prefix} ${name}`;
		case "DEFINITION_CHANGED":
			return `To look at it and accept it: ${calledAs()} trust ${prefix}`;
		case "ARG_VALIDATION_FAILED":
			return `What it takes: ${calledAs()} describe ${prefix} ${name}`;
		default:
			return hint;
	}
}
