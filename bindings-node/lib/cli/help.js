import { commands, options } from "./commands.js";

/** @typedef {import("./commands.js").Option} Option */

export function run() {
	process.stdout.write(helpText());
}

export function helpText() {
	const names = /** @type {import("./commands.js").CommandName[]} */ (Object.keys(commands));
	/** @type {[string, Option][]} */
	const all = Object.entries(options);
	const general = all.filter(([, { of }]) => !of);

	return [
		"Thousands of tools for agents, for the context cost of three.",
		"",
		"Usage: agent-tools [COMMAND] [OPTIONS]",
		"",
		"Commands:",
		...table(names.map((name) => [synopsis(name), commands[name].summary])),
		"",
		"Without a command: `http` on a terminal, `mcp` when a program starts it.",
		...names.flatMap((name) =>
			section(
				`Options of ${name}:`,
				all.filter(([, { of }]) => of?.includes(name)),
			),
		),
		...section("Options:", general),
		"",
	].join("\n");
}

/** @param {import("./commands.js").CommandName} name */
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
