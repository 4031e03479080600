// One call of a tool of this plugin, from a skill.

/**
 * @typedef {{content: {type: string, text?: string}[], isError?: boolean}} Reply
 * @typedef {{call: (tool: string, args?: object) => Promise<Reply>}} Adapter
 * @typedef {{signal?: AbortSignal, progress?: (report: {progress: number, total?: number, message?: string}) => void}} Options
 */

/** What n8n says of an address that it does not know; of a thing that is not there it says "Not Found". */
const UNKNOWN_ADDRESS = "not found";
const ADDRESS_HINT =
	"N8N_URL must be the root of the instance, without /api/v1; if it is, this version of n8n does not have this part of the API.";

/** n8n refused a call; `status` is the HTTP status of its answer. */
export class N8nError extends Error {
	/**
	 * @param {string} tool
	 * @param {{status?: number, body?: unknown, wait?: string, error?: string}} answer
	 */
	constructor(tool, { status, body, wait, error }) {
		const { message } = /** @type {{message?: string}} */ (Object(body));
		const said = wait ?? error ?? message ?? JSON.stringify(body ?? null);
		super(`${tool} failed${status === undefined ? "" : ` with ${status}`}: ${said}`);
		this.name = "N8nError";
		this.code = status === undefined ? "N8N_ERROR" : `N8N_${status}`;
		this.status = status;
		this.stage = tool;
		if (status === 404 && message === UNKNOWN_ADDRESS) this.hint = ADDRESS_HINT;
	}
}

/**
 * The answer of n8n's API. A refusal by n8n is thrown; what the runtime itself refuses passes through as it is.
 *
 * @template T
 * @param {Adapter} adapter
 * @param {string} tool
 * @param {object} [args]
 * @returns {Promise<T>}
 */
export async function call(adapter, tool, args = {}) {
	const value = await callAny(adapter, tool, args);
	if (typeof value !== "string") return /** @type {T} */ (value);
	const start = value.slice(0, 80);
	throw new N8nError(tool, {
		error: `this is not the answer of n8n's API; is N8N_URL the instance? It begins: ${start}`,
	});
}

/**
 * The same of what may answer with any text, such as a workflow.
 *
 * @param {Adapter} adapter
 * @param {string} tool
 * @param {object} args
 * @returns {Promise<unknown>}
 */
export async function callAny(adapter, tool, args) {
	const { content, isError } = await adapter.call(tool, args);
	const value = parsed(content[0]?.text ?? "null");
	if (isError) throw new N8nError(tool, typeof value === "object" && value !== null ? value : { error: String(value) });
	return value;
}

/** @param {string} text */
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/**
 * An argument that cannot be: nothing was sent.
 *
 * @param {string} message
 * @param {string} [hint]
 */
export function refusal(message, hint) {
	return Object.assign(new Error(message), { code: "BAD_ARGUMENTS", stage: "arguments", hint });
}
