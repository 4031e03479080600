import { isatty } from "node:tty";
import { confirm, isCancel, multiselect } from "@clack/prompts";

/** What is asked goes where a person reads; stdout carries what was asked for. */
const output = process.stderr;

/** Only a person on a terminal can be asked. */
export function someoneIsThere() {
	return isatty(0) && isatty(2);
}

/** @param {string} message */
export async function agrees(message) {
	return awake(async () => (await confirm({ message, output, initialValue: false })) === true);
}

/**
 * @param {string} message
 * @param {{name: string, title: string}[]} choices
 * @returns {Promise<string[]>} their names
 */
export async function choose(message, choices) {
	const options = choices.map(({ name, title }) => ({ value: name, label: title }));
	return awake(async () => {
		const chosen = await multiselect({ message, options, output, required: false });
		return isCancel(chosen) ? [] : chosen;
	});
}

/**
 * What is typed runs on no timer of Node's, and the core's threads do not keep it alive.
 *
 * @template T
 * @param {() => Promise<T>} work
 */
async function awake(work) {
	const waiting = setInterval(() => {}, 2 ** 30);
	try {
		return await work();
	} finally {
		clearInterval(waiting);
	}
}
