import { createInterface } from "node:readline/promises";
import { isatty } from "node:tty";

/** Whether there is a person to ask: one who sees the question and can type. */
export function canAsk() {
	return isatty(0) && isatty(2);
}

/**
 * What a person types to a question; nothing where the input ends, or nobody answers in time.
 *
 * @param {string} question
 * @param {{timeoutMs?: number}} [how]
 * @returns {Promise<string | undefined>}
 */
export async function askOnTerminal(question, { timeoutMs = 2 ** 31 - 1 } = {}) {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const given = new AbortController();
	// It keeps the process alive besides: what is typed runs on no timer of Node's, nor do the core's threads.
	const waiting = setTimeout(() => given.abort(), timeoutMs);
	terminal.once("close", () => given.abort());
	terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
	try {
		return (await terminal.question(question, { signal: given.signal })).trim();
	} catch {
		process.stderr.write("\n");
		return undefined;
	} finally {
		clearTimeout(waiting);
		terminal.close();
	}
}
