import { readFileSync } from "node:fs";
import { readJson } from "../json-file.js";

/**
 * @typedef {object} Entry a server as a client's file has it
 * @property {string} name
 * @property {string} [command]
 * @property {string[]} args
 * @property {string} [url]
 * @property {string} [PATH] where its environment names another
 */

/** Clients whose files may have comments and trailing commas. */
const COMMENTS = ["VS Code", "Cursor", "Gemini", "Pi"];

/**
 * The servers that a client's file names, and what is wrong with the file.
 *
 * @param {{client?: string, file: string}} of `client` where it is known whose file it is
 * @returns {{entries: Entry[], mistake?: string}}
 */
export function readEntries({ client, file }) {
	if (file.endsWith(".toml")) return { entries: fromToml(readFileSync(file, "utf8")) };
	const { value, mistake } = readJson(file, { strict: client !== undefined && !COMMENTS.includes(client) });
	if (mistake) return { entries: [], mistake };
	// Those of this project, where Claude Code keeps them in the user's file.
	const here = value?.projects?.[process.cwd()];
	const groups = [value?.mcpServers, value?.servers, value?.context_servers, value?.mcp?.servers, here?.mcpServers];
	// OpenCode has them in `mcp` itself, where others keep settings.
	if (groups.every((group) => group === undefined)) groups.push(value?.mcp);
	const entries = groups.flatMap((group) => Object.entries(Object(group)).map(([name, entry]) => read(name, entry)));
	return { entries };
}

/**
 * @param {string} name
 * @param {any} entry
 * @returns {Entry}
 */
function read(name, entry) {
	const [named, ...first] = [entry?.command].flat();
	// Zed has an object.
	const command = named?.path ?? named;
	const url = entry?.url ?? entry?.serverUrl ?? entry?.httpUrl;
	return {
		name,
		args: [...first, ...[entry?.args ?? named?.args ?? []].flat()].map(String),
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
