import { commands, options } from "./commands.js";

/** @typedef {import("./commands.js").Option} Option */

/** @typedef {import("./commands.js").CommandName} CommandName */

/** @type {[string, Option][]} */
const all = Object.entries(options);

/**
 * @param {import("./command-line.js").CommandOptions} _options
 * @param {string} [command] to be explained by itself
 */
export function run(_options, command) {
	process.stdout.write(command ? commandHelp(/** @type {CommandName} */ (command)) : helpText());
}

export function helpText() {
	const names = /** @type {CommandName[]} */ (Object.keys(commands));
	return [
		"Thousands of tools for agents, for the context cost of three.",
		"",
		"Usage: agent-tools [COMMAND] [OPTIONS]",
		"",
		"Commands:",
		...table(names.map((name) => [synopsis(name), commands[name].summary])),
		"",
		"Without a command: `http` on a terminal, `mcp` when a program starts it.",
		...names.flatMap((name) => section(`Options of ${name}:`, optionsOf(name))),
		...section("Options:", general()),
		"",
	].join("\n");
}

/** @param {CommandName} name */
export function commandHelp(name) {
	/** @type {import("./commands.js").Command} */
	const { summary, examples = [], exitCodes } = commands[name];
	return [
		`${summary}.`,
		"",
		`Usage: agent-tools ${synopsis(name)} [OPTIONS]`,
		...section("Options:", [...optionsOf(name), ...general()]),
		...(examples.length > 0 ? ["", "Examples:", ...examples.map((example) => `  ${example}`)] : []),
		"",
		`Exit codes: 0 done, 1 failed, 2 the command line is wrong${exitCodes ? `, ${exitCodes}` : ""}.`,
		"",
	].join("\n");
}

/** @param {CommandName} name */
function optionsOf(name) {
	return all.filter(([, { of }]) => of?.includes(name));
}

function general() {
	return all.filter(([, { of }]) => !of);
}

/** @param {CommandName} name */
function synopsis(name) {
	/** @type {import("./commands.js").Command} */
	const { args = [] } = commands[name];
	return [name, ...args].join(" ");
}

/**
 * @param {string} title
 * @param {[string, Option][]} entries
 */
function section(title, entries) {
	if (entries.length === 0) return [];
	return ["", title, ...table(entries.map(([name, option]) => [usage(name, option), option.summary]))];
}

/**
 * @param {string} name
 * @param {Option} option
 */
function usage(name, { short, value }) {
	return `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`;
}

/** @param {[string, string][]} rows */
function table(rows) {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
