// What services here have in common: an HTTP server on 127.0.0.1 that answers JSON and remembers what it was asked.

import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "../harness/listening.js";

/**
 * @typedef {import("node:http").IncomingHttpHeaders} Headers
 * @typedef {{method: string, path: string, query: Record<string, string>, headers: Headers, body: any}} Received
 * @typedef {(request: Received, response: import("node:http").ServerResponse) => unknown} Behaviour
 *   What happens instead of an answer, if it returns something.
 * @typedef {{status?: number, headers?: Record<string, string>, body?: unknown}} Answer
 */

/** A request that the service does not take, with what it says about it. */
export class Refusal extends Error {
	/**
	 * @param {number} status
	 * @param {unknown} body
	 */
	constructor(status, body) {
		super(`refused with ${status}`);
		this.answer = { status, body };
	}
}

/**
 * @param {import("node:test").TestContext} t
 * @param {(request: Received) => Answer | Promise<Answer>} answer
 * @param {Behaviour} [behaviour]
 */
export async function startJsonService(t, answer, behaviour) {
	/** @type {Received[]} */
	const received = [];
	const server = createServer(async (request, response) => {
		// As a proxy, it is given whole URLs.
		const url = new URL(request.url ?? "", "http://service");
		const sent = await text(request);
		const asked = {
			method: request.method ?? "",
			// As it was sent, still encoded.
			path: url.pathname,
			query: Object.fromEntries(url.searchParams),
			headers: request.headers,
			body: sent === "" ? undefined : JSON.parse(sent),
		};
		received.push(asked);
		if (behaviour?.(asked, response)) return;
		const { status = 200, headers = {}, body } = await answered(() => answer(asked));
		response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
		response.end(body === undefined ? undefined : JSON.stringify(body));
	});
	const port = await listening(t, server);
	const calls = () => received.map(({ method, path }) => `${method} ${path}`);
	return { url: `http://127.0.0.1:${port}`, received, calls };
}

/** @param {() => Answer | Promise<Answer>} run */
async function answered(run) {
	try {
		return await run();
	} catch (error) {
		if (error instanceof Refusal) return error.answer;
		throw error;
	}
}

/**
 * A behaviour that answers this to everything, as it stands.
 *
 * @param {number} status
 * @param {unknown} body
 * @param {Record<string, string>} [headers]
 * @returns {Behaviour}
 */
export function always(status, body, headers = {}) {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return (_, response) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}
