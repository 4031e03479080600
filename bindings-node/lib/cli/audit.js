import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AgentToolsError } from "../agent-tools-error.js";
import { native } from "../native.js";
import { filterOf } from "./audit/filter.js";
import { lineText, listText } from "./audit/lines.js";
import { receiptText, statisticsText, verdictText } from "./audit/text.js";
import { inColour } from "./colour.js";
import { print, say } from "./report.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./audit/lines.js").Line} Line
 */

const LIMIT = 20;
const MOST = 100_000;
const FOLLOW_MS = 500;
/** The exit code for a log that is not whole, and for a receipt that it does not hold. */
const NOT_CONFIRMED = 3;

/**
 * Reads the call log, as all of these do; no runtime is opened, and nothing is written.
 *
 * @param {CommandOptions} options
 */
export function run(options) {
	return options.follow ? follow(options) : list(options);
}

/** @param {CommandOptions} options */
async function list(options) {
	const { lines, folder } = await ask(options, { list: { filter: filterOf(options), limit: limitOf(options.limit) } });
	if (options.json) return print(`${JSON.stringify({ folder, lines }, null, 2)}\n`);
	if (lines.length === 0) return say(`no such call is recorded in ${folder}`);
	await print(listText(lines, look()));
}

/**
 * Shows the last calls, and then each one as it is recorded, until it is stopped or nobody reads on.
 *
 * @param {CommandOptions} options
 */
async function follow(options) {
	process.stdout.once("error", (/** @type {NodeJS.ErrnoException} */ { code }) => {
		if (code === "EPIPE") process.exit(0);
	});
	const filter = filterOf(options);
	let limit = limitOf(options.limit);
	/** @type {number | undefined} */
	let after;
	for (;;) {
		// What the filter leaves out moves the end on as well.
		const newest = await ask(options, { list: { filter: { after }, limit: 1 } });
		const { lines } = await ask(options, { list: { filter: { ...filter, after }, limit } });
		for (const line of lines) await print(options.json ? `${JSON.stringify(line)}\n` : lineText(line, look()));
		after = Math.max(after ?? 0, newest.lines[0]?.seq ?? 0, lines.at(-1)?.seq ?? 0);
		limit = MOST;
		await sleep(FOLLOW_MS);
	}
}

/** @param {CommandOptions} options */
export async function statistics(options) {
	const counted = await ask(options, { statistics: { filter: filterOf(options) } });
	await print(options.json ? `${JSON.stringify(counted, null, 2)}\n` : statisticsText(counted));
}

/**
 * @param {CommandOptions} options
 * @param {string} id such as `c9f2ab31-17`
 */
export async function receipt(options, id) {
	const answer = await ask(options, { receipt: { id } });
	await print(options.json ? `${JSON.stringify(answer, null, 2)}\n` : receiptText(id, answer, look()));
	if (!answer.found || !answer.intact) process.exitCode = NOT_CONFIRMED;
}

/** @param {CommandOptions} options */
export async function verify(options) {
	const { head } = options;
	if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head)) {
		throw new UsageError(
			"--head needs a hash of 64 hexadecimal digits, as an earlier `agent-tools audit verify` printed it",
		);
	}
	const verdict = await ask(options, { verify: { head } });
	await print(options.json ? `${JSON.stringify(verdict, null, 2)}\n` : verdictText(verdict));
	if (!verdict.ok) process.exitCode = NOT_CONFIRMED;
}

/**
 * @param {CommandOptions} options
 * @param {Record<string, unknown>} question
 */
async function ask({ dir, config }, question) {
	const which = {
		...(dir !== undefined && { dir: path.resolve(dir) }),
		config: config === undefined ? true : path.resolve(config),
	};
	try {
		return JSON.parse(await native().readAudit(JSON.stringify({ ...which, ask: question })));
	} catch (error) {
		throw AgentToolsError.from(error);
	}
}

/** @param {string} [text] */
function limitOf(text = String(LIMIT)) {
	const limit = Number(text);
	if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
	throw new UsageError(`the limit must be a whole number from 1 to ${MOST}, not \`${text}\``);
}

function look() {
	return { rich: inColour(process.stdout) };
}
