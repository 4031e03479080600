import { NAMES as SOURCES } from "../import/sources.js";
import { SCOPES } from "../init/client.js";
import { clients } from "../init/clients/all.js";
import { kinds } from "../plugin/kinds.js";
import { VIEWS } from "../view.js";

/** @typedef {"bash" | "zsh" | "fish" | "powershell"} Shell */

/** @type {Shell[]} */
export const SHELLS = ["bash", "zsh", "fish", "powershell"];

/** @typedef {string[] | "file" | "folder"} Values */

/**
 * What may stand where the help has such a word. Any other is a text of the user's, and nothing is offered for it: names of
 * plugins and tools would have to be asked for at every key.
 *
 * @type {Record<string, Values>}
 */
const values = {
	CLIENT: clients.map(({ name }) => name),
	KIND: Object.keys(kinds),
	SCOPE: SCOPES,
	SHELL: SHELLS,
	VIEW: VIEWS,
	FILE: "file",
	FILE_OR_URL: "file",
	PATH: "file",
	DIR: "folder",
	FOLDER: "folder",
};

/** Where a command takes the same word for something else. @type {Record<string, Record<string, Values>>} */
const ofCommand = { import: { CLIENT: SOURCES, KIND: "file" } };

/**
 * @param {string} word such as `VIEW` or `[CLIENT]...`
 * @param {string} [command]
 * @returns {Values}
 */
export function valuesOf(word, command = "") {
	const name = word.replace(/^\[|\]?(\.\.\.)?$/g, "");
	return ofCommand[command]?.[name] ?? values[name] ?? [];
}

/** Options with values of their own in a command. @returns {{command: string, word: string}[]} */
export function exceptions() {
	return Object.entries(ofCommand).flatMap(([command, own]) => Object.keys(own).map((word) => ({ command, word })));
}
