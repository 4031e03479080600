import path from "node:path";
import { ROOT } from "../harness/paths.js";
import { e2eModule, NODE24, temporaryFolder } from "../processes/places.js";

/** What many people connect first, in the order in which they are added. @type {[string, string[]][]} */
const SERVERS = [
	["everything", []],
	["filesystem", [temporaryFolder("served")]],
	["memory", []],
	["sequential-thinking", []],
];

/** @param {number} count */
export function servers(count) {
	return Object.fromEntries(
		SERVERS.slice(0, count).map(([name, args]) => [
			name,
			{ command: NODE24, args: [e2eModule(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args] },
		]),
	);
}

/**
 * How much of the model's context the first request takes besides what Pi alone takes, and what a search adds.
 *
 * @typedef {object} Context
 * @property {number} tools that are declared
 * @property {number} atRest tokens of the tools and of the system prompt
 * @property {number} [search] tokens of the reply to a search
 * @property {number} [afterwards] tokens of the tools that the search declared
 */

/**
 * @param {import("../scripted-model/scripted-model.js").LoggedRequest} request
 * @param {(text: string) => number} count
 * @param {string} home which has another name in each run
 */
export function tokensOf({ body }, count, home) {
	const system = body.messages.filter(({ role }) => role === "system" || role === "developer");
	const tokens = [body.tools ?? [], system].map((part) =>
		// Pi names files of its own, which are elsewhere on each machine.
		count(JSON.stringify(part).replaceAll(home, path.sep).replaceAll(ROOT, path.sep)),
	);
	return { tools: body.tools?.length ?? 0, tokens: tokens[0] + tokens[1] };
}
