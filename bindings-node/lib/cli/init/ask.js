import { constants } from "node:os";
import { isatty } from "node:tty";
import { confirm, isCancel, multiselect } from "@clack/prompts";
import { awake } from "../awake.js";

/** What is asked goes where a person reads; stdout carries what was asked for. */
const output = process.stderr;

/** Only a person on a terminal can be asked. */
export function someoneIsThere() {
	return isatty(0) && isatty(2);
}

/** @param {string} message */
export async function agrees(message) {
	return awake(async () => answerOf(await confirm({ message, output, initialValue: false })));
}

/**
 * @param {string} message
 * @param {{name: string, title: string}[]} choices
 * @returns {Promise<string[]>} their names
 */
export async function choose(message, choices) {
	const options = choices.map(({ name, title }) => ({ value: name, label: title }));
	return awake(async () => answerOf(await multiselect({ message, options, output, required: false })));
}

/**
 * Ctrl-C is no answer: it ends everything, as it does where nothing is asked.
 *
 * @template T
 * @param {T} given
 * @returns {Promise<Exclude<T, symbol>>}
 */
async function answerOf(given) {
	if (!isCancel(given)) return /** @type {Exclude<T, symbol>} */ (given);
	// A runtime that is open closes first.
	if (!process.emit("SIGINT", "SIGINT")) process.exit(128 + constants.signals.SIGINT);
	return new Promise(() => {});
}
