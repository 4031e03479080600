import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../../e2e/harness/paths.js";
import { asking } from "./threats/asking.mjs";
import { definitions } from "./threats/definitions.mjs";
import { network } from "./threats/network.mjs";
import { page } from "./threats/page.mjs";
import { policy } from "./threats/policy.mjs";
import { programs } from "./threats/programs.mjs";
import { record } from "./threats/record.mjs";
import { secrets } from "./threats/secrets.mjs";

/**
 * @typedef {{rust: string} | {js: string, name: string, parent?: string}} Test
 *   a test function, with as much of its path in front as makes it the only one; or a file and the beginning of a test's
 *   name, and the test of which it is a part, if it is
 *
 * @typedef {object} Guard what is taken out, and the tests that fail then
 * @property {string} threat the start of the row in SECURITY.md
 * @property {string} file
 * @property {string} take a text that is in the file once; in Rust an expression or whole statements
 * @property {string} [within] a text around it that is in the file once, where it is there more than once itself
 * @property {string} [leave] what stands there without the guard; nothing by default
 * @property {Test[]} tests
 *
 * @typedef {object} Untested a row for which there can be no such test
 * @property {string} threat
 * @property {string} none why
 *
 * @typedef {Guard & {id: string}} Entry
 */

/** @type {Record<string, (Guard | Untested)[]>} by the headings of SECURITY.md */
export const sections = {
	"What may be called, and who agrees": policy,
	"Asking a person, in Pi and in eve": asking,
	"What servers say of their tools": definitions,
	"Programs that the runtime starts": programs,
	"The network, and our own HTTP transport": network,
	"The page": page,
	Secrets: secrets,
	"The record": record,
};

/** @returns {Entry[]} */
export function entries() {
	return Object.values(sections).flatMap((section) =>
		section.flatMap((entry) => ("none" in entry ? [] : [{ ...entry, id: identify(entry) }])),
	);
}

/**
 * The same for guards against several threats that are the same piece of text.
 *
 * @param {Guard} guard
 */
function identify({ file, take, within, leave }) {
	const place = [file, take, within, leave].join("\n");
	const all = Object.values(sections).flat();
	const first = all.findIndex(
		(each) => "take" in each && [each.file, each.take, each.within, each.leave].join("\n") === place,
	);
	return `guard-${first + 1}`;
}

/**
 * The first cells of the tables of threats, by heading.
 *
 * @returns {Map<string, string[]>}
 */
export function rows() {
	const text = readFileSync(path.join(ROOT, "SECURITY.md"), "utf8");
	const threats = text.slice(text.indexOf("\n## Threats"), text.indexOf("\n## What is not defended"));
	return new Map(
		threats
			.split(/^### /m)
			.slice(1)
			.map((section) => {
				const [heading = "", ...lines] = section.split("\n");
				const cells = lines.filter((line) => line.startsWith("| ")).map((line) => line.split(" | ")[0]?.slice(2) ?? "");
				return [heading, cells.filter((cell) => cell !== "threat")];
			}),
	);
}
