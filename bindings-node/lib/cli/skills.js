import path from "node:path";
import { calledAs } from "./called-as.js";
import { columns } from "./columns.js";
import { checkKnown } from "./known-plugin.js";
import { print, printWarnings, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { namedView, viewFor } from "./view.js";
import { wrapped } from "./wrapped.js";

/**
 * @typedef {import("../../index.d.ts").AgentSkill} AgentSkill
 * @typedef {import("../../index.d.ts").WrittenSkills} WrittenSkills
 */

/** What a person is told of each state that needs a word. */
const WORDS = {
	written: "written",
	unchanged: "as it was",
	foreign: "left alone: this file is not of agent-tools",
	stale: "left alone: not of what is written now; --prune removes it",
	removed: "removed: not of what is written now",
};

/**
 * Starts nothing: the files say what is known.
 *
 * @param {import("./command-line.js").CommandOptions} options
 */
export async function run(options) {
	const { out, one, prune, plugin } = options;
	const named = namedView(options.view);
	await runRuntime(options, async (runtime) => {
		const status = await runtime.status();
		const { plugins, warnings } = status;
		const chosen = { view: { kind: viewFor(named, status), plugin }, ...(one && { one }) };
		if (plugin !== undefined) checkKnown(plugin, plugins);
		const skills = await runtime.agentSkills(chosen);
		const written =
			out === undefined
				? undefined
				: await runtime.writeAgentSkills({ ...chosen, folder: path.resolve(out), ...(prune && { prune }) });
		if (options.json) {
			await print(`${JSON.stringify({ skills, ...written, warnings }, null, 2)}\n`);
			return;
		}
		printWarnings(warnings);
		await print(written ? whatWasDone(written) : whatThereIs(skills));
		for (const line of hints(skills, out)) say(line);
	});
}

/** @param {AgentSkill[]} skills */
function whatThereIs(skills) {
	return skills.map(({ name, description }) => wrapped(`${name}: ${description}\n`, { hang: 2 })).join("");
}

/** @param {WrittenSkills} written */
function whatWasDone({ files }) {
	return files.length > 0
		? `${columns(
				files.map(({ name, state }) => [name, WORDS[state]]),
				{ indent: 0 },
			)}\n`
		: "";
}

/**
 * @param {AgentSkill[]} skills
 * @param {string} [out]
 */
function hints(skills, out) {
	const unlisted = skills.filter(({ listed }) => !listed).length;
	return [
		...(skills.length === 0 ? ["no plugins, so no skills"] : []),
		...(unlisted > 0
			? [
					`What only a manifest says is in ${unlisted} of them; \`${calledAs()} list\` starts the plugins, and then they say more`,
				]
			: []),
		...(out === undefined
			? ["Nothing was written. For Claude Code: --out .claude/skills; for Codex, Pi and others: --out .agents/skills"]
			: []),
	];
}
