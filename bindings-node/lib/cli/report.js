// What a person reads goes to stderr: stdout carries MCP's messages, or the data that was asked for.

import { AgentToolsError } from "../agent-tools-error.js";
import { native } from "../native.js";
import { paint } from "./colour.js";
import { UsageError } from "./usage-error.js";
import { wrapped } from "./wrapped.js";

/** How a person sees at once what a line is. */
const STYLES = /** @type {const} */ ({ error: "red", hint: "cyan", warning: "yellow", note: "cyan" });

/**
 * @param {string} text of sentences, and of lines that are laid out, which are indented
 * @param {{indent?: number, verbatim?: boolean}} [how] `verbatim`: an address that has to be opened as it is
 */
export function say(text, { indent = 0, verbatim = false } = {}) {
	const shown = verbatim ? text : withoutSecrets(text);
	process.stderr.write(`${wrapped(shown, { stream: process.stderr, indent })}\n`);
}

/**
 * @param {keyof typeof STYLES} kind
 * @param {string} text
 */
export function sayAs(kind, text) {
	const line = `${paint(STYLES[kind], `${kind}:`, process.stderr)} ${withoutSecrets(text)}`;
	process.stderr.write(`${wrapped(line, { stream: process.stderr, hang: 2 })}\n`);
}

/** @param {unknown} error */
export function printError(error) {
	if (error instanceof UsageError || error instanceof AgentToolsError) {
		sayAs("error", error.message);
		if (error.hint) sayAs("hint", error.hint);
	} else {
		sayAs("error", String(error instanceof Error ? error.stack : error));
		sayAs("hint", "This is a fault of agent-tools-runtime; please report it with the lines above.");
	}
}

/**
 * What comes from the core has none; the rest may quote what was typed, or anything.
 *
 * @param {string} text
 */
function withoutSecrets(text) {
	try {
		return native().scrub(text);
	} catch {
		return text;
	}
}

/** @param {string[]} warnings */
export function printWarnings(warnings) {
	for (const warning of warnings) sayAs("warning", warning);
}

/**
 * Prints the warnings that there are, and those that come up later.
 *
 * @param {import("../runtime.js").Runtime} runtime
 */
export async function printWarningsOf(runtime) {
	/** @type {string[]} */
	let known = [];
	const print = async () => {
		const { warnings } = await runtime.status();
		printWarnings(warnings.filter((warning) => !known.includes(warning)));
		known = warnings;
	};
	runtime.onChange(() => print().catch(() => {}));
	await print();
}

/** What a reader that is gone leaves, as in `| head`: of the first thing that is written then, and of the next. */
const GONE = ["EPIPE", "ERR_STREAM_DESTROYED"];

let isHeard = false;

/**
 * The data that was asked for. Waits until it is written, as the process ends right afterwards. A reader that is gone is no
 * error.
 *
 * @param {string} text
 */
export async function print(text) {
	// Whoever writes is told; Node would throw it besides.
	if (!isHeard) process.stdout.on("error", () => {});
	isHeard = true;
	try {
		await /** @type {Promise<void>} */ (
			new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
		);
	} catch (error) {
		const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
		if (!GONE.includes(String(code)))
			throw new AgentToolsError("OUTPUT_FAILED", `stdout cannot be written: ${message}`);
	}
}
