import { AgentToolsError } from "../agent-tools-error.js";
import { namedIn, readConfig, writeConfig } from "./configured/config-text.js";
import { addedRecords } from "./configured/record.js";
import { targetsOf } from "./configured/target.js";
import { diffOf, painted } from "./edit/diff.js";
import { at, revert } from "./edit/edit.js";
import { removeText, untilWritten } from "./edit/file.js";
import * as json from "./edit/formats/json.js";
import { hashOf } from "./edit/record.js";
import { leftBehind } from "./remove/left-behind.js";
import { print, say, sayAs } from "./report.js";
import { didYouMean, suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("./configured/config-text.js").ConfigText} ConfigText
 * @typedef {import("./configured/config-text.js").Named} Named
 * @typedef {import("./configured/target.js").Target} Target
 * @typedef {{target: Target, config: ConfigText, named: Named}} Found
 */

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} name
 */
export async function run(options, name) {
	const { target, config, named, text } = await untilWritten(async () => {
		const one = found(options, name);
		const { target, config, named } = one;
		const record = orWarning(() =>
			addedRecords()
				.of(name)
				.find(({ file }) => file === target.file),
		);
		const isUntouched = record !== undefined && hashOf(String(config.was.text)) === record.after;
		const text = isUntouched ? record.before : without(config, named);
		if (text === undefined) await removeText(config.was);
		else await writeConfig(target, config, text);
		return { ...one, text };
	});
	const { file } = target;
	const diff = diffOf(file, config.was.text, text);
	const left = orWarning(() => leftBehind(named, text, target)) ?? [];
	orWarning(() => addedRecords().forget(name, file));
	if (options.json) {
		const { section } = named;
		const outcome = { name, section, file, scope: target.scope ?? "named", removed: true, diff, left };
		return print(`${JSON.stringify(outcome, null, 2)}\n`);
	}
	await print(painted(diff));
	say(`${name} is taken out of ${file}`);
	for (const { what, command } of left) {
		sayAs("note", what);
		sayAs("hint", command);
	}
}

/** What has been said once. @type {Set<string>} */
const warned = new Set();

/**
 * The entry goes all the same where nothing can be known of how it came.
 *
 * @template T
 * @param {() => T} work
 */
function orWarning(work) {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof AgentToolsError)) throw error;
		if (!warned.has(error.message)) sayAs("warning", error.message);
		warned.add(error.message);
		return undefined;
	}
}

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} name
 * @returns {Found}
 */
function found(options, name) {
	const targets = targetsOf(options);
	const all = targets.flatMap((target) => {
		const config = readConfig(target.file);
		return namedIn(config).map((named) => ({ target, config, named }));
	});
	const [one, ...others] = all.filter(({ named }) => named.name === name);
	if (!one) throw unknown(name, targets, all);
	const [other] = others;
	if (!other) return one;
	if (other.target.file !== one.target.file) {
		throw new UsageError(
			`${name} stands in ${one.target.file} and in ${other.target.file}`,
			`Say which is meant: --scope ${one.target.scope} or --scope ${other.target.scope}.`,
		);
	}
	throw new AgentToolsError(
		"NAME_TAKEN",
		`${name} stands in ${one.target.file} more than once: in \`${one.named.section}\` and \`${other.named.section}\``,
		{ hint: "Nothing was changed. Take out by hand the one that is not wanted." },
	);
}

/**
 * @param {string} name
 * @param {Target[]} targets
 * @param {Found[]} all
 */
function unknown(name, targets, all) {
	const names = [...new Set(all.map(({ named }) => named.name))];
	const near = suggest(name, names);
	const there = names.length > 0 ? `There are ${names.join(", ")}.` : "There are none.";
	const files = targets.map(({ file }) => file).join(" and ") || "any agent-tools.json";
	return new UsageError(
		`no server or service \`${name}\` stands in ${files}`,
		`${didYouMean(near)}${there} What is imported or installed is not among them: docs/configuration.md.`,
	);
}

/**
 * Exactly the entry goes, and a section that is empty without it.
 *
 * @param {ConfigText} config
 * @param {Named} named
 */
function without({ file, text, value }, { section, name }) {
	const path = [section, name];
	const rest = String(revert(file, text, { format: "json", path, value: at(value, path) }, {}));
	const { [section]: left } = json.parse(rest);
	const isComment = /\/[/*]/.test(json.textOf(rest, [section]) ?? "");
	return Object.keys(Object(left)).length === 0 && !isComment ? json.remove(rest, [section]) : rest;
}
