// A small web site on 127.0.0.1, for browsers: each path is a page, or does with the request what it likes.

import { createServer } from "node:http";
import { listening } from "../harness/listening.js";

/**
 * @typedef {import("node:http").IncomingMessage} Request
 * @typedef {import("node:http").ServerResponse} Response
 * @typedef {string | ((request: Request, response: Response) => unknown)} Page
 */

/** @param {string} text */
const html = (text) => (/** @type {Request} */ _, /** @type {Response} */ response) =>
	response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);

/**
 * @param {import("node:test").TestContext} t
 * @param {Record<string, Page>} pages
 */
export async function startPages(t, pages) {
	/** @type {{asked: string, cookie?: string}[]} */
	const received = [];
	const server = createServer((request, response) => {
		const { method, url = "/", headers } = request;
		received.push({ asked: `${method} ${url}`, ...(headers.cookie && { cookie: headers.cookie }) });
		const page = pages[url.split("?", 1)[0] ?? ""];
		if (page === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>");
		else (typeof page === "string" ? html(page) : page)(request, response);
	});
	const port = await listening(t, server);
	/** What was asked for since the last time. */
	const asked = () => received.splice(0).map(({ asked }) => asked);
	return { url: `http://127.0.0.1:${port}`, received, asked };
}

/**
 * A page that answers with this status.
 *
 * @param {number} status
 * @param {Record<string, string>} [headers]
 * @returns {Page}
 */
export function refusing(status, headers = {}) {
	return (_, response) =>
		response.writeHead(status, { "content-type": "text/html", ...headers }).end(`<h1>${status}</h1>`);
}

/** @param {string} location @returns {Page} */
export function leadingTo(location) {
	return (_, response) => response.writeHead(302, { location }).end();
}
