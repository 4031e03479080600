import { AgentToolsError } from "../../agent-tools-error.js";
import { diffOf } from "../edit/diff.js";
import { say } from "../report.js";
import { failed, mayGoOn, show } from "./outcome.js";
import { recordsOf } from "./record.js";
import { carryOutUndo, planUndo } from "./undo.js";

/**
 * @typedef {import("../command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./client.js").Client} Client
 * @typedef {import("./client.js").Scope} Scope
 * @typedef {import("./outcome.js").Outcome} Outcome
 * @typedef {import("./place.js").Place} Place
 */

/**
 * @param {Client} client
 * @param {Scope | undefined} scope
 * @param {CommandOptions} options
 * @param {Place} place
 * @returns {Promise<Outcome[]>}
 */
export async function takeBack(client, scope, options, place) {
	const ours = recordsOf(place, client.name).filter(
		(record) => (!scope || record.scope === scope) && (record.scope === "user" || isInside(record.file, place)),
	);
	if (ours.length === 0 && !options.all) {
		throw new AgentToolsError("NOTHING_TO_UNDO", `init has written nothing for ${client.title} here`, {
			hint: "What it has written for a project is undone in that project's folder.",
		});
	}
	/** @type {Outcome[]} */
	const failures = [];
	const plans = ours.flatMap((record) => {
		try {
			return [planUndo(record)];
		} catch (error) {
			failures.push(failed(client, record.scope, record.file, error));
			return [];
		}
	});
	/** @type {Outcome[]} */
	const outcomes = plans.map(({ record, was, text, gone }) => ({
		client: client.name,
		scope: record.scope,
		file: record.file,
		state: "not written",
		...(!gone && { diff: diffOf(record.file, was.text, text) }),
	}));
	const all = [...outcomes, ...failures];
	for (const outcome of outcomes) await show(client, outcome, options);
	for (const { record, gone } of plans) {
		if (gone) say(`${client.title}: nothing of it is left in ${record.file}`);
	}
	if (plans.some(({ gone }) => !gone) && !(await mayGoOn(`Take this back for ${client.title}?`, outcomes, options)))
		return all;
	if (options["dry-run"]) return all;
	for (const [i, one] of plans.entries()) {
		await carryOutUndo(one, place);
		Object.assign(/** @type {Outcome} */ (outcomes[i]), { state: "undone" });
	}
	if (outcomes.length > 0) say(`${client.title}: taken back.`);
	return all;
}

/**
 * @param {string} file
 * @param {Place} place
 */
function isInside(file, { path, cwd }) {
	return file.startsWith(cwd.endsWith(path.sep) ? cwd : cwd + path.sep);
}
