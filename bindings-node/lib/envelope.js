// What crosses the border as the answer to one op: `{"ok": value}` or `{"err": {message, code?, hint?, name?, stage?}}`, as JSON text.

import { jsonText } from "./json-text.js";

const UNREADABLE = "An error was thrown that cannot be read";

/**
 * A value that is not JSON (a circle, a BigInt, a throwing `toJSON`) makes an error envelope.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function okEnvelope(value) {
	try {
		return `{"ok":${jsonText(value)}}`;
	} catch (error) {
		return errEnvelope({
			message: `The result cannot be written as JSON: ${firstLine(reasonOf(error))}`,
			code: "RESULT_NOT_JSON",
			hint: "Return plain values only: objects, arrays, strings, finite numbers, booleans and null.",
		});
	}
}

/**
 * Takes whatever was thrown, and never throws.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function errEnvelope(error) {
	try {
		const { code, hint, name, stage, cause } = fieldsOf(error);
		const err = {
			message: messageOf(error),
			code: text(code) ?? text(fieldsOf(cause).code),
			hint: text(hint),
			name: text(name),
			stage: text(stage),
		};
		return jsonText({ err });
	} catch {
		return jsonText({ err: { message: UNREADABLE } });
	}
}

/** @param {unknown} error */
function messageOf(error) {
	const message = reasonOf(error);
	const { cause } = fieldsOf(error);
	// `fetch failed` says nothing without its cause.
	const reason = cause instanceof Error ? reasonOf(cause) : undefined;
	return reason && !message.includes(reason) ? `${message}: ${reason}` : message;
}

/**
 * What was thrown, in words. It never throws either.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
	try {
		const { message, code, name } = fieldsOf(error);
		if (typeof message === "string") return message || text(code) || text(name) || "Unknown error";
		return typeof error === "object" && error !== null ? (JSON.stringify(error) ?? "Unknown error") : String(error);
	} catch {
		return UNREADABLE;
	}
}

/**
 * @param {unknown} error
 * @returns {{message?: unknown, code?: unknown, hint?: unknown, name?: unknown, stage?: unknown, cause?: unknown}}
 */
function fieldsOf(error) {
	return typeof error === "object" && error !== null ? error : {};
}

/** @param {unknown} value */
function text(value) {
	return typeof value === "string" && value !== "" ? value : undefined;
}

/** @param {string} message */
function firstLine(message) {
	return message.split("\n", 1)[0];
}
