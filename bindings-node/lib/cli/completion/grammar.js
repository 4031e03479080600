import { actionsOf } from "../command-line.js";
import { allCommands } from "../commands.js";
import { GENERAL, options } from "../options.js";
import { exceptions, valuesOf } from "./values.js";

/**
 * What can be typed, as a script of a shell walks through it word by word.
 *
 * @typedef {{word: string, summary: string}} Candidate
 *
 * @typedef {object} Place what may come behind the words so far
 * @property {string} at these words: "", `audit`, `audit stats`, `help audit`
 * @property {Candidate[]} words the next one
 * @property {"file" | "folder" | undefined} path where a path comes next instead
 * @property {boolean} repeats whether further ones may follow it
 * @property {Candidate[]} options
 *
 * @typedef {object} Grammar
 * @property {Place[]} places
 * @property {string[]} valued the options that a value follows
 * @property {{option: string, at: string, values: import("./values.js").Values}[]} values what is offered for them, first
 *   where a command has its own: `at` is that, or `*`
 */

/** @returns {Grammar} */
export function grammar() {
	const heads = [...new Set(Object.keys(allCommands).map((name) => String(name.split(" ", 1)[0])))];
	const groups = heads.filter((word) => actionsOf(word).length > 0);
	return {
		places: [
			place("", { words: heads.map(summed), options: optionsOf("http") }),
			...heads.filter((word) => word !== "help").map((word) => placeOf(word)),
			...groups.flatMap((word) => actionsOf(word).map((action) => placeOf(`${word} ${action}`))),
			place("help", { words: heads.map(summed) }),
			...groups.map((word) => place(`help ${word}`, { words: actions(word) })),
		],
		valued: withValue.map(({ name }) => `--${name}`),
		values: [
			...exceptions().flatMap(({ command, word }) => offered(command, word)),
			...[...new Set(withValue.map(({ value }) => value))].flatMap((word) => offered("*", word)),
		],
	};
}

const withValue = Object.entries(options).flatMap(([name, option]) =>
	"value" in option ? [{ name, value: option.value }] : [],
);

/**
 * @param {string} at
 * @param {string} word as the help has it for a value
 * @returns {Grammar["values"]}
 */
function offered(at, word) {
	const values = valuesOf(word, at);
	if (values.length === 0) return [];
	return withValue.flatMap(({ name, value }) => (value === word ? [{ option: `--${name}`, at, values }] : []));
}

/** @param {string} name */
function placeOf(name) {
	const [argument = ""] = allCommands[name]?.args ?? [];
	const values = valuesOf(argument, name);
	const listed = Array.isArray(values) ? values.map((word) => ({ word, summary: "" })) : [];
	return place(name, {
		words: [...actions(name), ...listed],
		path: Array.isArray(values) ? undefined : values,
		repeats: argument.endsWith("..."),
		options: optionsOf(name),
	});
}

/**
 * @param {string} at
 * @param {Partial<Place>} what
 * @returns {Place}
 */
function place(at, { words = [], path, repeats = false, options: own = optionsOf(at) }) {
	return { at, words, path, repeats, options: own };
}

/** @param {string} name @returns {Candidate[]} */
function optionsOf(name) {
	return [...(allCommands[name]?.options ?? []), ...GENERAL].map((option) => ({
		word: `--${option}`,
		summary: options[option].summary,
	}));
}

/** @param {string} word that a command begins with */
function actions(word) {
	return actionsOf(word).map((action) => ({ word: action, summary: allCommands[`${word} ${action}`]?.summary ?? "" }));
}

/** @param {string} word */
function summed(word) {
	return { word, summary: allCommands[word]?.summary ?? actionsOf(word).join(", ") };
}
