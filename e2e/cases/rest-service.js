import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { listening } from "../harness/listening.js";

/**
 * What one request gets: in words of the cases, or `bytes`.
 *
 * @typedef {{status?: number, headers?: Record<string, string>, body?: string, body_hex?: string, bytes?: Buffer}} Rule
 * @typedef {{method: string, target: string, headers: import("node:http").IncomingHttpHeaders, rawHeaders: string[], body: Buffer}} Received
 */

/**
 * An HTTP service on 127.0.0.1: the first request gets the first rule, the last rule is for all that follow, and without
 * any the answer is `{}`.
 *
 * @param {import("node:test").TestContext} t
 */
export async function restService(t) {
	/** @type {Received[]} */
	const received = [];
	/** @type {Rule[]} */
	const rules = [];
	const server = createServer(async (request, response) => {
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		// `target` as it stood in the request line: nothing of it is decoded or normalised.
		const { method = "", url: target = "", headers, rawHeaders } = request;
		received.push({ method, target, headers, rawHeaders, body: Buffer.concat(chunks) });
		const rule = rules[Math.min(received.length, rules.length) - 1];
		const { status = 200, headers: given } = rule ?? { headers: { "content-type": "application/json" } };
		response.writeHead(status, given).end(bytesOf(rule));
	});
	const port = await listening(t, server);
	return { port, origin: `http://127.0.0.1:${port}`, received, rules };
}

/** @param {Rule} [rule] */
function bytesOf({ bytes, body, body_hex } = { body: "{}" }) {
	if (bytes) return bytes;
	if (body_hex) return Buffer.from(body_hex, "hex");
	const [, zipped] = /^gzip of (.*)$/.exec(body ?? "") ?? [];
	return zipped ? gzipSync(zipped) : Buffer.from(body ?? "");
}
