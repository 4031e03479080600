import { readText } from "../edit/file.js";
import { formats } from "../edit/formats/formats.js";
import { BrokenText } from "../edit/formats/text.js";
import { readJson } from "../json-file.js";

/**
 * @typedef {object} Entry a server as a client's file has it
 * @property {string} name
 * @property {string} [command]
 * @property {string[]} args
 * @property {string} [url]
 * @property {string} [PATH] where its environment names another
 */

/**
 * The servers that a client's file names, and what is wrong with the file.
 *
 * @param {{client?: import("./files.js").Kept, file: string}} of `client` where only what that client reads counts
 * @returns {{entries: Entry[], mistake?: string}}
 */
export function readEntries({ client, file }) {
	const { value, mistake } = readValue(file, client);
	if (mistake) return { entries: [], mistake };
	// Those of this project, where Claude Code keeps them in the user's file.
	const here = value?.projects?.[process.cwd()];
	const groups = client
		? [value?.[client.container], here?.[client.container]]
		: [...groupsOf(value), here?.mcpServers];
	return {
		entries: groups.flatMap((group) => Object.entries(Object(group)).map(([name, entry]) => read(name, entry))),
	};
}

/**
 * @param {string} file
 * @param {import("./files.js").Kept | undefined} client
 * @returns {{value?: any, mistake?: string}}
 */
function readValue(file, client) {
	const format = client?.format ?? (file.endsWith(".toml") ? "toml" : "json");
	// What a client does not read itself is a mistake here, where `init` only leaves it as it is.
	if (format === "json") return readJson(file, { strict: client !== undefined && !client.comments });
	try {
		return { value: formats[format].parse(readText(file).text ?? "") };
	} catch (error) {
		const { message } = /** @type {Error} */ (error);
		if (!(error instanceof BrokenText)) return { mistake: message };
		// Without what stands there, which may be a secret.
		return { mistake: `${error.position}: ${message.replace(/:? ".*$/, "")}` };
	}
}

/** Wherever some client has them. @param {any} value */
function groupsOf(value) {
	const { mcpServers, mcp_servers, servers, context_servers, mcp } = Object(value);
	const groups = [mcpServers, mcp_servers, servers, context_servers, mcp?.servers];
	// OpenCode has them in `mcp` itself, where others keep settings.
	return groups.every((group) => group === undefined) ? [mcp] : groups;
}

/**
 * @param {string} name
 * @param {any} entry
 * @returns {Entry}
 */
function read(name, entry) {
	const [named, ...first] = [entry?.command ?? entry?.cmd].flat();
	// Zed has an object.
	const command = named?.path ?? named;
	const url = entry?.url ?? entry?.serverUrl ?? entry?.httpUrl ?? entry?.uri;
	const PATH = entry?.env?.PATH ?? entry?.envs?.PATH;
	return {
		name,
		args: [...first, ...[entry?.args ?? named?.args ?? []].flat()].map(String),
		...(typeof command === "string" && { command }),
		...(typeof url === "string" && { url }),
		...(typeof PATH === "string" && { PATH }),
	};
}
