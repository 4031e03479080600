import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Expectations
 * @property {string[]} [tools]
 * @property {string[]} [absent_tools]
 * @property {string | string[]} [last_tool_result]
 * @property {string | string[]} [no_tool_result]
 *
 * @typedef {object} Turn
 * @property {string} [text]
 * @property {{name: string, arguments?: unknown}[]} [tool_calls]
 * @property {Expectations} [expect]
 * @property {number} [status]
 * @property {number} [delay_ms]
 *
 * @typedef {{turns: Turn[]}} Script
 * @typedef {{role: string, content: string}} Message
 */

/** Chooses the turn for a conversation: `(messages) => {index, turn}`. */
export class Scripts {
	#load;

	/** @param {(name: string | undefined) => Script} load */
	constructor(load) {
		this.#load = load;
	}

	/** @param {string} path a script, or a folder of scripts that prompts choose from by `script:NAME` */
	static fromPath(path) {
		const isFolder = statSync(path).isDirectory();
		return new Scripts((name) => JSON.parse(readFileSync(isFolder ? join(path, `${name}.json`) : path, "utf8")));
	}

	/** @param {Script | Scripts | string} script */
	static from(script) {
		if (script instanceof Scripts) return script;
		return typeof script === "string" ? Scripts.fromPath(script) : new Scripts(() => script);
	}

	/** @param {Message[]} messages */
	choose(messages) {
		const { name, from } = scriptNamed(messages);
		const index = messages.slice(from).filter(({ role }) => role === "assistant").length;
		return { index, turn: this.#load(name).turns[index] };
	}
}

/**
 * The newest prompt that names a script, and where the conversation about it begins.
 *
 * @param {Message[]} messages
 */
function scriptNamed(messages) {
	const names = messages.map(({ role, content }) =>
		role === "user" ? /script:([\w-]+)/u.exec(content)?.[1] : undefined,
	);
	const from = names.findLastIndex((name) => name !== undefined);
	return { name: names[from], from: Math.max(from, 0) };
}

/**
 * What the request lacks of what the turn expects.
 *
 * @param {Expectations | undefined} expect
 * @param {string[]} toolNames
 * @param {string} toolResult
 */
export function unmet(expect, toolNames, toolResult) {
	return [
		...all(expect?.tools).map((name) => !toolNames.includes(name) && `tool not declared: ${name}`),
		...all(expect?.absent_tools).map((name) => toolNames.includes(name) && `tool declared: ${name}`),
		...all(expect?.last_tool_result).map((text) => !toolResult.includes(text) && `tool result lacks: ${text}`),
		...all(expect?.no_tool_result).map((text) => toolResult.includes(text) && `tool result holds: ${text}`),
	].filter((complaint) => complaint !== false);
}

/** @param {string | string[] | undefined} value */
function all(value) {
	return [value ?? []].flat();
}

/**
 * What a turn says, in small pieces as a model does.
 *
 * @param {Turn} turn
 * @param {string} toolResult
 */
export function wordsOf(turn, toolResult) {
	return [...String(fill(turn.text ?? "", toolResult)).matchAll(/.{1,16}/gsu)].map(([piece]) => piece);
}

/**
 * What a turn calls; the arguments as text.
 *
 * @param {Turn} turn
 * @param {string} toolResult
 */
export function callsOf(turn, toolResult) {
	return (turn.tool_calls ?? []).map(({ name, arguments: args = {} }) => {
		const filled = fill(args, toolResult);
		return { name, text: typeof filled === "string" ? filled : JSON.stringify(filled) };
	});
}

/** @param {string} text */
export function halves(text) {
	const middle = Math.ceil(text.length / 2);
	return [text.slice(0, middle), text.slice(middle)];
}

/**
 * The value with `{{last_tool_result}}` replaced in each of its strings.
 *
 * @param {unknown} value
 * @param {string} toolResult
 * @returns {unknown}
 */
function fill(value, toolResult) {
	if (typeof value === "string") return value.replaceAll("{{last_tool_result}}", () => toolResult);
	if (Array.isArray(value)) return value.map((item) => fill(item, toolResult));
	if (value && typeof value === "object")
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, toolResult)]));
	return value;
}
