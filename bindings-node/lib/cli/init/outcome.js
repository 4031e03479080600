import { AgentToolsError } from "../../agent-tools-error.js";
import { painted } from "../edit/diff.js";
import { print, printError, say, sayAs } from "../report.js";
import { agrees, someoneIsThere } from "./ask.js";

/**
 * @typedef {import("../command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./client.js").Client} Client
 * @typedef {import("./client.js").Scope} Scope
 *
 * @typedef {object} Outcome of a client; one for each file
 * @property {string} client
 * @property {Scope} scope
 * @property {string} file
 * @property {"written" | "undone" | "same" | "kept" | "not written" | "failed"} state
 * @property {string} [diff]
 * @property {string[]} [command]
 * @property {string} [error]
 * @property {string} [hint]
 */

/** Nobody was there to be asked, and nothing was written. */
export const NOT_ASKED = 3;

/**
 * @param {Client} client
 * @param {Outcome} outcome
 * @param {CommandOptions} options
 */
export async function show({ title }, { state, file, diff, command }, { json }) {
	if (state === "same") say(`${title}: already there: ${file}`);
	if (state === "kept") say(`${title}: left alone: ${file} is there and differs; remove it to have it written anew`);
	if (command && state === "not written") say(`${title}: to be run: ${command.join(" ")}`);
	if (diff && !json) await print(painted(diff));
}

/**
 * @param {string} question
 * @param {{state: string}[]} outcomes
 * @param {CommandOptions} options
 */
export async function mayGoOn(question, outcomes, { "dry-run": dryRun, yes, json }) {
	if (dryRun || outcomes.every(({ state }) => state !== "not written")) return false;
	if (yes) return true;
	if (!json && someoneIsThere()) {
		if (await agrees(question)) return true;
		say("Nothing was written.");
		return false;
	}
	say("Nothing was written, as nobody could be asked.");
	sayAs("hint", "To write it: the same with --yes");
	process.exitCode = NOT_ASKED;
	return false;
}

/**
 * Says so, and goes on: what is no fault of the user's or of a file is thrown.
 *
 * @param {Client} client
 * @param {Scope} scope
 * @param {string} file
 * @param {unknown} error
 * @returns {Outcome}
 */
export function failed(client, scope, file, error) {
	if (!(error instanceof AgentToolsError) && !isOfSystem(error)) throw error;
	const known = isOfSystem(error) ? new AgentToolsError("FILE_FAILED", error.message) : error;
	printError(known);
	process.exitCode = 1;
	return { client: client.name, scope, file, state: "failed", error: known.message, hint: known.hint };
}

/** @param {unknown} error @returns {error is NodeJS.ErrnoException} */
function isOfSystem(error) {
	return error instanceof Error && "syscall" in error;
}

/**
 * @param {CommandOptions} options
 * @param {Outcome[]} outcomes
 */
export async function finish({ json }, outcomes) {
	if (json) await print(`${JSON.stringify(outcomes, null, 2)}\n`);
}
