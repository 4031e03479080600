import { columns } from "./columns.js";
import { actionsOf, commandOf, named } from "./command-line.js";
import { allCommands } from "./commands.js";
import { GENERAL, options } from "./options.js";
import { print } from "./report.js";

/**
 * @typedef {import("./options.js").Option} Option
 * @typedef {import("./options.js").OptionName} OptionName
 */

/** Those of every command. */
const EXIT_CODES = [
	["0", "done"],
	["1", "failed"],
	["2", "the command line is wrong"],
];

/**
 * @param {import("./command-line.js").CommandOptions} _options
 * @param {...string} words the command that is asked about, if it is one
 * @returns {Promise<void>}
 */
export async function run(_options, ...words) {
	const behind = words[0] === "help" && words.length > 1 ? words.slice(1) : words;
	await print(helpFor(behind));
}

/** @param {string[]} words */
export function helpFor(words) {
	const [word, action] = words;
	if (word === undefined) return helpText();
	if (action === undefined && !named(words) && actionsOf(word).length > 0) return groupHelp(word);
	return commandHelp(commandOf(words).command);
}

export function helpText() {
	const groups = [...new Set(Object.values(allCommands).map(({ group }) => group))];
	return text([
		"Thousands of tools for agents, for the context cost of three.",
		"",
		"Usage: agent-tools [COMMAND] [OPTIONS]",
		...groups.flatMap((group) => [
			"",
			`${group}:`,
			columns(names((name) => allCommands[name]?.group === group).map((name) => [synopsis(name), summary(name)])),
		]),
		...section("Options of every command:", GENERAL),
		"",
		"Without a command: `http` on a terminal, `mcp` when a program starts it.",
		"A command's own options: agent-tools COMMAND --help",
	]);
}

/** @param {string} word that several commands begin with */
function groupHelp(word) {
	const of = names((name) => name.startsWith(`${word} `));
	return text([
		`Usage: agent-tools ${word} ${actionsOf(word).join("|")}`,
		"",
		columns(of.map((name) => [synopsis(name), summary(name)])),
		"",
		"Examples:",
		...of.flatMap((name) => examples(name)),
	]);
}

/** @param {string} name */
export function commandHelp(name) {
	const command = allCommands[name];
	const further = names((other) => other.startsWith(`${name} `));
	return text([
		`${summary(name)}.`,
		"",
		`Usage: agent-tools ${synopsis(name)} [OPTIONS]`,
		...(further.length > 0 ? ["", columns(further.map((other) => [synopsis(other), summary(other)]))] : []),
		...section("Options:", [...(command?.options ?? []), ...GENERAL]),
		...(command?.more ? ["", command.more.title, columns(command.more.rows)] : []),
		"",
		"Examples:",
		...examples(name),
		"",
		"Exit codes:",
		columns([...EXIT_CODES, ...(command?.exitCodes ?? [])].sort(([one], [other]) => Number(one) - Number(other))),
	]);
}

/** @param {(name: string) => boolean} wanted */
function names(wanted) {
	return Object.keys(allCommands).filter(wanted);
}

/** @param {string} name */
function summary(name) {
	return allCommands[name]?.summary ?? "";
}

/** @param {string} name */
function synopsis(name) {
	return [name, ...(allCommands[name]?.args ?? [])].join(" ");
}

/** @param {string} name */
function examples(name) {
	return (allCommands[name]?.examples ?? []).map((example) => `  ${example}`);
}

/**
 * @param {string} title
 * @param {OptionName[]} of
 */
function section(title, of) {
	return ["", title, columns(of.map((name) => [usage(name), options[name].summary]))];
}

/** @param {OptionName} name */
function usage(name) {
	/** @type {Option} */
	const { short, value } = options[name];
	return `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`;
}

/** @param {string[]} lines */
function text(lines) {
	return `${lines.join("\n")}\n`;
}
