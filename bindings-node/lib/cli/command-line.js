import { isatty } from "node:tty";
import { parseArgs } from "node:util";
import { calledAs } from "./called-as.js";
import { allCommands } from "./commands.js";
import { GENERAL, options } from "./options.js";
import { suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("./commands.js").CommandName} CommandName
 * @typedef {import("./options.js").Option} Option
 * @typedef {import("./options.js").OptionName} OptionName
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
 * @property {string} [from]
 * @property {string} [prefix]
 * @property {string} [url]
 * @property {string[]} [env]
 * @property {string} [openapi]
 * @property {string[]} [header]
 * @property {string} [bearer-env]
 * @property {boolean} [oauth]
 * @property {boolean} [replace]
 * @property {boolean} [no-check]
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
 * @property {string[]} [arg]
 * @property {string} [args]
 * @property {boolean} [confirm]
 * @property {boolean} [explain]
 * @property {boolean} [all]
 * @property {boolean} [yes]
 * @property {boolean} [strict]
 * @property {string} [scope]
 * @property {boolean} [local]
 * @property {string} [http]
 * @property {string} [token-env]
 * @property {boolean} [dry-run]
 * @property {boolean} [undo]
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

	for (const { name, rawName, value } of flags) checkFlag(name, rawName, value, words);
	const given = new Set(flags.map(({ name }) => name));
	if (given.has("help")) return { command: "help", options: {}, args: words };
	if (given.has("version")) return { command: "version", options: { json: given.has("json") }, args: [] };
	const { command, args: behind } = words.length > 0 ? commandOf(words) : withoutWords(onTerminal);
	checkArguments(command, behind);
	checkSeparator(command, tokens);
	for (const { name, rawName } of flags) checkBelongs(/** @type {OptionName} */ (name), rawName, command);
	return { command, options: valuesOf(args), args: behind };
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
 * @param {() => boolean} onTerminal
 * @returns {{command: CommandName, args: string[]}}
 */
function withoutWords(onTerminal) {
	return { command: onTerminal() ? "http" : "mcp", args: [] };
}

/**
 * @param {string[]} words at least one
 * @returns {{command: CommandName, args: string[]}}
 */
export function commandOf(words) {
	const [word = ""] = words;
	const command = named(words);
	if (command) return { command, args: words.slice(command.split(" ").length) };
	const actions = actionsOf(word);
	if (actions.length === 0) throw unknown("command", word, suggest(word, firstWords()));
	const [, action] = words;
	const usage = `Usage: agent-tools ${word} ${actions.join("|")}`;
	if (action === undefined) throw new UsageError(`\`${word}\` needs to know what to do`, usage);
	const near = suggest(action, actions);
	throw new UsageError(
		`\`${word}\` has no action \`${action}\``,
		near ? `Did you mean \`${word} ${near}\`? ${usage}` : usage,
	);
}

/**
 * The command that the words begin with.
 *
 * @param {string[]} words
 * @returns {CommandName | undefined}
 */
export function named(words) {
	const names = [words.slice(0, 2).join(" "), String(words[0])];
	return /** @type {CommandName | undefined} */ (names.find((name) => Object.hasOwn(allCommands, name)));
}

/**
 * What may stand behind the word: `explain` behind `policy`.
 *
 * @param {string} word
 */
export function actionsOf(word) {
	const names = Object.keys(allCommands).map((name) => name.split(" "));
	return names.flatMap(([first, action]) => (first === word && action ? [action] : []));
}

function firstWords() {
	return [...new Set(Object.keys(allCommands).map((name) => String(name.split(" ", 1)[0])))];
}

/**
 * @param {CommandName} command
 * @param {string[]} args
 */
function checkArguments(command, args) {
	const wanted = allCommands[command]?.args ?? [];
	const usage = ["agent-tools", command, ...wanted].join(" ");
	const missing = wanted[args.length];
	if (missing && !missing.startsWith("[")) throw new UsageError(`\`${command}\` needs ${missing}`, `Usage: ${usage}`);
	const extra = args[wanted.length];
	if (extra === undefined || wanted.at(-1)?.endsWith("...")) return;
	const actions = actionsOf(command);
	if (actions.length > 0) {
		const near = suggest(extra, actions);
		const hint = near ? `Did you mean \`${command} ${near}\`?` : `Behind it may stand ${actions.join(", ")}.`;
		throw new UsageError(`\`${command}\` has no action \`${extra}\``, hint);
	}
	if (wanted.length === 0) throw new UsageError(`\`${command}\` takes no argument, but got \`${extra}\``);
	const arguments_ = `${wanted.length} argument${wanted.length === 1 ? "" : "s"}`;
	throw new UsageError(`\`${command}\` takes ${arguments_}, but got \`${extra}\` too`, `Usage: ${usage}`);
}

/**
 * Behind `--` stands another program's command, and not the name that is missing.
 *
 * @param {CommandName} command
 * @param {{kind: string}[]} tokens
 */
function checkSeparator(command, tokens) {
	const wanted = allCommands[command]?.args ?? [];
	const separator = tokens.findIndex(({ kind }) => kind === "option-terminator");
	if (separator < 0 || !/^\[.*\.\.\.$/.test(wanted.at(-1) ?? "")) return;
	const before = tokens.slice(0, separator).filter(({ kind }) => kind === "positional").length;
	const missing = wanted[Math.max(0, before - command.split(" ").length)];
	if (before - command.split(" ").length >= wanted.filter((name) => !name.startsWith("[")).length) return;
	throw new UsageError(
		`\`${command}\` needs ${missing} before \`--\``,
		`Usage: agent-tools ${command} ${missing} -- …`,
	);
}

/**
 * @param {string} name
 * @param {string} rawName
 * @param {string | undefined} value
 * @param {string[]} words
 */
function checkFlag(name, rawName, value, words) {
	const option = optionOf(name);
	if (!option && words[0] === "add" && words.length > 2) {
		throw new UsageError(
			`unknown option \`${rawName}\``,
			`The command of the server stands behind \`--\`: ${calledAs()} add ${words[1]} -- ${words[2]} …`,
		);
	}
	if (!option) {
		const near = suggest(name, Object.keys(options));
		throw unknown("option", rawName, near && `--${near}`);
	}
	if (option.type === "string" && !value) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}`);
	if (option.type === "boolean" && value !== undefined) throw new UsageError(`${rawName} takes no value`);
}

/**
 * @param {OptionName} name
 * @param {string} rawName
 * @param {CommandName} command
 */
function checkBelongs(name, rawName, command) {
	if (GENERAL.includes(name) || command === "help" || command === "version") return;
	if (allCommands[command]?.options?.includes(name)) return;
	const owners = Object.keys(allCommands).filter((owner) => allCommands[owner]?.options?.includes(name));
	throw new UsageError(
		`\`${command}\` has no option ${rawName}`,
		`${rawName} is an option of ${owners.map((owner) => `\`${owner}\``).join(", ")}.`,
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
