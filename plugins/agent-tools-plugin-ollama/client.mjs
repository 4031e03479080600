// Ollama's HTTP API: https://docs.ollama.com/api

const LOCAL = "http://127.0.0.1:11434";
const CLOUD = "https://ollama.com";

/** A failure that the user or the model can do something about. */
export class OllamaError extends Error {
	/**
	 * @param {string} message
	 * @param {{code?: string, hint?: string, cause?: unknown}} [more]
	 */
	constructor(message, { code, hint, cause } = {}) {
		super(message, { cause });
		this.code = code;
		this.hint = hint;
	}
}

export class OllamaClient {
	#origin;
	#key;

	/** @param {Record<string, string | undefined>} [environment] */
	constructor(environment = process.env) {
		this.#key = environment.OLLAMA_API_KEY?.trim() || undefined;
		const chosen = environment.OLLAMA_HOST?.trim() || environment.OLLAMA_URL?.trim();
		this.#origin = originOf(chosen || (this.#key ? CLOUD : LOCAL));
	}

	/**
	 * One JSON answer.
	 *
	 * @param {string} path
	 * @param {AbortSignal} [signal]
	 */
	async get(path, signal) {
		const response = await this.#fetch(path, { signal });
		return parse(await response.text(), path);
	}

	/**
	 * The lines of a streamed answer, each a JSON object; a line that says `error` ends it.
	 *
	 * @param {string} path
	 * @param {object} body
	 * @param {AbortSignal} [signal]
	 */
	async *stream(path, body, signal) {
		const headers = { "content-type": "application/json" };
		const request = { method: "POST", headers, body: JSON.stringify({ ...body, stream: true }), signal };
		const response = await this.#fetch(path, request);
		for await (const line of lines(response)) {
			const part = parse(line, path);
			if (part?.error) throw new OllamaError(`Ollama: ${part.error}`);
			yield part;
		}
	}

	/**
	 * @param {string} path
	 * @param {RequestInit} init
	 */
	async #fetch(path, init) {
		const headers = new Headers(init.headers);
		if (this.#key) headers.set("authorization", `Bearer ${this.#key}`);
		let response;
		try {
			// A redirect elsewhere would take the key along.
			response = await fetch(`${this.#origin}${path}`, { ...init, headers, redirect: "error" });
		} catch (error) {
			if (init.signal?.aborted) throw error;
			const reason = /** @type {any} */ (error).cause?.code ?? /** @type {Error} */ (error).message;
			throw new OllamaError(`Ollama does not answer at ${this.#origin} (${reason})`, {
				code: "UPSTREAM_UNREACHABLE",
				hint: "Start it with `ollama serve`, or set OLLAMA_HOST to where it listens, or OLLAMA_API_KEY for Ollama's cloud.",
				cause: error,
			});
		}
		if (!response.ok) throw await refusal(response, this.#key !== undefined);
		return response;
	}
}

/**
 * As Ollama itself reads the variable: the scheme and the port may be left out.
 *
 * @param {string} host
 */
function originOf(host) {
	const url = parsed(host.includes("://") ? host : `http://${host}`);
	if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.username) {
		throw new OllamaError(`OLLAMA_HOST is no address of a server: ${JSON.stringify(host)}`, {
			code: "CONFIG_INVALID",
			hint: "Write it as http://127.0.0.1:11434, without a path.",
		});
	}
	const hasPort = /:\d+\/?$/.test(host);
	return url.protocol === "http:" && !hasPort && !host.includes("://") ? `${url.origin}:11434` : url.origin;
}

/** @param {string} text */
function parsed(text) {
	try {
		return new URL(text);
	} catch {
		return null;
	}
}

/**
 * @param {Response} response
 * @param {boolean} hasKey
 */
async function refusal(response, hasKey) {
	const text = await response.text();
	let said = text.slice(0, 500);
	try {
		said = JSON.parse(text).error ?? said;
	} catch {
		// What stands in front of Ollama answers in its own words.
	}
	const message = `Ollama answered ${response.status}: ${said || response.statusText}`;
	switch (response.status) {
		case 401:
		case 403:
			return new OllamaError(message, {
				code: "UPSTREAM_AUTH",
				hint: `${hasKey ? "Replace" : "Set"} OLLAMA_API_KEY; keys are made at https://ollama.com/settings/keys`,
			});
		case 404:
			return new OllamaError(message, { hint: "list_models says which models there are; pull_model gets another." });
		case 429: {
			const wait = response.headers.get("retry-after");
			return new OllamaError(message, { hint: wait ? `Try again after ${wait} s.` : "Try again later." });
		}
		default:
			return new OllamaError(message);
	}
}

/** @param {Response} response */
async function* lines(response) {
	let rest = "";
	const decoder = new TextDecoder();
	for await (const chunk of /** @type {any} */ (response.body)) {
		const pieces = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = pieces.pop() ?? "";
		yield* pieces.filter((line) => line.trim());
	}
	rest += decoder.decode();
	if (rest.trim()) yield rest;
}

/**
 * @param {string} text
 * @param {string} path
 */
function parse(text, path) {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new OllamaError(`Ollama's answer to ${path} is not JSON: ${JSON.stringify(text.slice(0, 200))}`, { cause });
	}
}
