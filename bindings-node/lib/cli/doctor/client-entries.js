import { readText } from "../init/file.js";
import { formats } from "../init/formats/formats.js";
import { BrokenText } from "../init/formats/text.js";
import { PACKAGES } from "./client-files.js";
import { readJson } from "./json-file.js";

/**
 * @typedef {object} Entry a server as a client's file has it
 * @property {string} name
 * @property {string} [command]
 * @property {string[]} args
 * @property {string} [url]
 * @property {string} [PATH] where its environment names another
 * @property {string} [extension] a package that runs in the client itself, and has neither command nor URL
 */

/**
 * The servers that a client's file names, and what is wrong with the file.
 *
 * @param {import("./client-files.js").ClientFile} of
 * @returns {{entries: Entry[], mistake?: string}}
 */
export function readEntries(of) {
	const { value, mistake } = readValue(of);
	if (mistake) return { entries: [], mistake };
	const { container } = of.client;
	if (container === PACKAGES) return { entries: [value?.[container] ?? []].flat().map(packageOf) };
	// Those of this project, where Claude Code keeps them in the user's file.
	const here = value?.projects?.[process.cwd()];
	const groups = [value?.[container], here?.[container]];
	return {
		entries: groups.flatMap((group) => Object.entries(Object(group)).map(([name, entry]) => read(name, entry))),
	};
}

/**
 * @param {import("./client-files.js").ClientFile} of
 * @returns {{value?: any, mistake?: string}}
 */
function readValue({ client: { format, comments = false }, file }) {
	// What a client does not read itself is a mistake here, where `init` only leaves it as it is.
	if (format === "json") return readJson(file, { strict: !comments });
	try {
		return { value: formats[format].parse(readText(file).text ?? "") };
	} catch (error) {
		const { message } = /** @type {Error} */ (error);
		if (!(error instanceof BrokenText)) return { mistake: message };
		// Without what stands there, which may be a secret.
		return { mistake: `line ${error.line}, column ${error.column}: ${message.replace(/:? ".*$/, "")}` };
	}
}

/** @param {unknown} item its source, or a table with it where only a part is chosen @returns {Entry} */
function packageOf(item) {
	const extension = String(Object(item).source ?? item);
	return { name: extension, args: [], extension };
}

/**
 * @param {string} name
 * @param {any} entry
 * @returns {Entry}
 */
function read(name, entry) {
	const [command, ...first] = [entry?.command ?? entry?.cmd].flat();
	const url = entry?.url ?? entry?.serverUrl ?? entry?.httpUrl ?? entry?.uri;
	const PATH = entry?.env?.PATH ?? entry?.envs?.PATH;
	return {
		name,
		args: [...first, ...[entry?.args ?? []].flat()].map(String),
		...(typeof command === "string" && { command }),
		...(typeof url === "string" && { url }),
		...(typeof PATH === "string" && { PATH }),
	};
}
