import { calledAs } from "../called-as.js";
import { diffOf } from "../edit/diff.js";
import { say } from "../report.js";
import { carryOut } from "./carry-out.js";
import { mayGoOn, show } from "./outcome.js";
import { plan } from "./plan.js";

/**
 * @typedef {import("../command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./client.js").Client} Client
 * @typedef {import("./outcome.js").Outcome} Outcome
 */

/**
 * @param {Client} client
 * @param {import("./client.js").Context} context
 * @param {CommandOptions} options
 * @returns {Promise<Outcome[]>}
 */
export async function connect(client, context, options) {
	const { place, scope } = context;
	const changes = await plan(client, context);
	/** @type {Outcome[]} */
	const outcomes = changes.map(({ step, was, text, state }) => ({
		client: client.name,
		scope,
		file: step.file,
		state: state === "new" ? "not written" : state,
		...(step.kind === "run"
			? { command: step.command }
			: state === "new" && { diff: diffOf(step.file, was.text, text) }),
	}));
	for (const outcome of outcomes) await show(client, outcome, options);
	if (!(await mayGoOn(`Write this for ${client.title}?`, outcomes, options))) return outcomes;
	for (const [i, change] of changes.entries()) {
		if (change.state !== "new") continue;
		await carryOut(client, scope, change, place);
		Object.assign(/** @type {Outcome} */ (outcomes[i]), { state: "written" });
	}
	if (outcomes.some(({ state }) => state === "written")) {
		say(`${client.title}: written. ${client.next ?? ""}\nTo take it back: ${calledAs()} init --undo ${client.name}`);
	}
	return outcomes;
}
