import { createServer } from "node:http";
import { listening } from "../harness/listening.js";

/**
 * An HTTP server on any port of 127.0.0.1, until the test ends.
 *
 * @param {import("node:test").TestContext} t
 * @param {import("node:http").RequestListener} listener
 * @returns {Promise<string>} its origin
 */
export async function listen(t, listener) {
	return `http://127.0.0.1:${await listening(t, createServer(listener))}`;
}

/** @param {import("node:http").IncomingMessage} request */
export async function readBody(request) {
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {unknown} body
 * @param {Record<string, string>} [headers]
 */
export function sendJson(response, status, body, headers = {}) {
	response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
