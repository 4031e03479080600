import { readFileSync } from "node:fs";
import * as yaml from "../init/formats/yaml.js";
import { readJson } from "./json-file.js";

/**
 * @typedef {object} Entry a server as a client's file has it
 * @property {string} name
 * @property {string} [command]
 * @property {string[]} args
 * @property {string} [url]
 * @property {string} [PATH] where its environment names another
 * @property {string} [extension] a package that runs the core in the client itself, which has neither command nor URL
 */

/** Clients whose files may have comments and trailing commas. */
const COMMENTS = ["VS Code", "Cursor", "Gemini", "Pi"];

/**
 * The servers that a client's file names, and what is wrong with the file.
 *
 * @param {import("./client-files.js").ClientFile} of
 * @returns {{entries: Entry[], mistake?: string}}
 */
export function readEntries({ client, file }) {
	if (file.endsWith(".toml")) return { entries: fromToml(readFileSync(file, "utf8")) };
	if (file.endsWith(".yaml")) return fromYaml(file);
	const { value, mistake } = readJson(file, { strict: !COMMENTS.includes(client) });
	if (mistake) return { entries: [], mistake };
	// Those of this project, where Claude Code keeps them in the user's file.
	const here = value?.projects?.[process.cwd()];
	if (client === "Pi" && Array.isArray(value?.packages)) return { entries: value.packages.map(packageOfPi) };
	const groups = [value?.mcpServers, value?.servers, value?.mcp?.servers, here?.mcpServers];
	return { entries: groups.flatMap(readAll) };
}

/** @param {unknown} group @returns {Entry[]} */
function readAll(group) {
	return Object.entries(Object(group)).map(([name, entry]) => read(name, entry));
}

/** @param {unknown} item its source, or a table with it where only a part is chosen @returns {Entry} */
function packageOfPi(item) {
	const extension = String(Object(item).source ?? item);
	return { name: extension, args: [], extension };
}

/**
 * As Hermes and goose have it.
 *
 * @param {string} file
 * @returns {{entries: Entry[], mistake?: string}}
 */
function fromYaml(file) {
	try {
		const { mcp_servers: servers, extensions } = yaml.parse(readFileSync(file, "utf8"));
		return { entries: [servers, extensions].flatMap(readAll) };
	} catch (error) {
		const { message, line, column } = /** @type {import("../init/formats/text.js").BrokenText} */ (error);
		return { entries: [], mistake: line === undefined ? message : `line ${line}, column ${column}: ${message}` };
	}
}

/**
 * @param {string} name
 * @param {any} entry
 * @returns {Entry}
 */
function read(name, entry) {
	const [command, ...first] = [entry?.command ?? entry?.cmd].flat();
	const url = entry?.url ?? entry?.uri ?? entry?.serverUrl ?? entry?.httpUrl;
	return {
		name,
		args: [...first, ...[entry?.args ?? []].flat()].map(String),
		...(typeof command === "string" && { command }),
		...(typeof url === "string" && { url }),
		...(typeof entry?.env?.PATH === "string" && { PATH: entry.env.PATH }),
	};
}

/**
 * Only what is needed here: the core reads such files in full, and says what is wrong with them.
 *
 * @param {string} text
 * @returns {Entry[]}
 */
function fromToml(text) {
	const tables = text.split(/^\s*\[/m).slice(1);
	return tables.flatMap((table) => {
		const name = /^mcp_servers\.(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*\]/.exec(table)?.slice(1).find(Boolean);
		if (!name) return [];
		const args = /^\s*args\s*=\s*\[([^\]]*)\]/m.exec(table)?.[1] ?? "";
		const command = textOf(table, "command");
		const url = textOf(table, "url");
		return [
			{
				name,
				args: [...args.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? ""),
				...(command && { command }),
				...(url && { url }),
			},
		];
	});
}

/**
 * @param {string} table
 * @param {string} key
 */
function textOf(table, key) {
	const found = new RegExp(`^\\s*${key}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "m").exec(table);
	return found?.[1] ?? found?.[2];
}
