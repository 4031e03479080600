import { isatty } from "node:tty";
import { parseArgs } from "node:util";
import { commands, options } from "./commands.js";
import { suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("./commands.js").CommandName} CommandName
 * @typedef {import("./commands.js").Option} Option
 *
 * @typedef {object} CommandOptions
 * @property {string[]} [plugins-dir]
 * @property {string} [config]
 * @property {string} [host]
 * @property {string} [port]
 * @property {string} [token]
 * @property {boolean} [approved-by-client]
 * @property {string[]} [allowed-host]
 * @property {string[]} [allowed-origin]
 * @property {string} [view]
 * @property {boolean} [metrics]
 * @property {boolean} [page]
 * @property {boolean} [no-page]
 * @property {string[]} [pin]
 * @property {string} [plugin]
 * @property {string} [out]
 * @property {boolean} [one]
 * @property {boolean} [prune]
 * @property {string} [limit]
 * @property {string} [tool]
 * @property {string} [outcome]
 * @property {string} [since]
 * @property {string} [client]
 * @property {string} [session]
 * @property {string} [decision]
 * @property {boolean} [follow]
 * @property {string} [head]
 * @property {string} [dir]
 * @property {boolean} [explain]
 * @property {boolean} [all]
 * @property {boolean} [yes]
 * @property {boolean} [json]
 */

/**
 * @param {string[]} args
 * @param {() => boolean} [onTerminal] whether a person, and not an MCP client, holds stdin
 * @returns {{command: CommandName, options: CommandOptions, args: string[]}}
 */
export function parse(args, onTerminal = () => isatty(0)) {
	const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
	const words = tokens.filter((token) => token.kind === "positional").map((token) => token.value);
	const flags = tokens.filter((token) => token.kind === "option");

	for (const { name, rawName, value } of flags) checkFlag(name, rawName, value);
	const command = commandOf(words, new Set(flags.map(({ name }) => name)), onTerminal);
	for (const { name, rawName } of flags) checkBelongs(name, rawName, command);

	return { command, options: valuesOf(args), args: argumentsFor(command, words) };
}

/**
 * What stands behind the command; for the help, the command that is asked about.
 *
 * @param {CommandName} command
 * @param {string[]} words
 */
function argumentsFor(command, words) {
	if (command === "help") return words.slice(0, 1).filter((word) => word !== "help" && isCommand(word));
	return argumentsOf(command).length > 0 ? words.slice(1) : [];
}

/** @param {string[]} args */
function valuesOf(args) {
	try {
		return parseArgs({ args, options, allowPositionals: true }).values;
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

/**
 * @param {string[]} words
 * @param {Set<string>} flags
 * @param {() => boolean} onTerminal
 * @returns {CommandName}
 */
function commandOf(words, flags, onTerminal) {
	if (flags.has("help")) return "help";
	if (flags.has("version")) return "version";
	const [word, ...args] = words;
	if (word === undefined) return onTerminal() ? "http" : "mcp";
	if (!isCommand(word)) throw unknown("command", word, suggest(word, Object.keys(commands)));
	checkArguments(word, args);
	return word;
}

/**
 * @param {CommandName} command
 * @param {string[]} args
 */
function checkArguments(command, args) {
	const wanted = argumentsOf(command);
	const usage = ["agent-tools", command, ...wanted].join(" ");
	const missing = wanted[args.length];
	if (missing && !missing.startsWith("[")) throw new UsageError(`\`${command}\` needs ${missing}`, `Usage: ${usage}`);
	const extra = args[wanted.length];
	if (extra === undefined || wanted.at(-1)?.endsWith("...")) return;
	if (wanted.length === 0) throw new UsageError(`\`${command}\` takes no argument, but got \`${extra}\``);
	throw new UsageError(`\`${command}\` takes ${wanted.length} argument, but got \`${extra}\` too`, `Usage: ${usage}`);
}

/**
 * @param {CommandName} command
 * @returns {string[]}
 */
function argumentsOf(command) {
	/** @type {Record<string, import("./commands.js").Command>} */
	const table = commands;
	return table[command]?.args ?? [];
}

/**
 * @param {string} word
 * @returns {word is CommandName}
 */
function isCommand(word) {
	return Object.hasOwn(commands, word);
}

/**
 * @param {string} name
 * @param {string} rawName
 * @param {string | undefined} value
 */
function checkFlag(name, rawName, value) {
	const option = optionOf(name);
	if (!option) {
		const near = suggest(name, Object.keys(options));
		throw unknown("option", rawName, near && `--${near}`);
	}
	if (option.type === "string" && !value) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}`);
	if (option.type === "boolean" && value !== undefined) throw new UsageError(`${rawName} takes no value`);
}

/**
 * @param {string} name
 * @param {string} rawName
 * @param {CommandName} command
 */
function checkBelongs(name, rawName, command) {
	const of = optionOf(name)?.of;
	if (!of || of.includes(command) || command === "help" || command === "version") return;
	throw new UsageError(
		`\`${command}\` has no option ${rawName}`,
		`${rawName} is an option of ${of.map((owner) => `\`${owner}\``).join(" and ")}.`,
	);
}

/**
 * @param {string} name
 * @returns {Option | undefined}
 */
function optionOf(name) {
	/** @type {Record<string, Option>} */
	const table = options;
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * @param {string} what
 * @param {string} typed
 * @param {string | undefined} near
 */
function unknown(what, typed, near) {
	return new UsageError(`unknown ${what} \`${typed}\``, near && `Did you mean \`${near}\`?`);
}
