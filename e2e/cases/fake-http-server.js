import { once } from "node:events";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What a rule of cases.jsonl looks at. `session: "old"` is a session that the server has forgotten; `header_missing` are parts
 * of headers of which one is not there; `header` is one whole header, and with `after_n` so many requests with it did not count;
 * `nth` counts the requests of the same method.
 *
 * @typedef {object} When
 * @property {string} [verb]
 * @property {string} [path]
 * @property {string} [rpc]
 * @property {"old"} [session]
 * @property {number} [nth]
 * @property {string[]} [header_missing]
 * @property {string} [header]
 * @property {number} [after_n]
 *
 * The first rule that fits answers: with a status and a body, with lines of server-sent events, or by itself.
 *
 * @typedef {object} Rule
 * @property {When} when
 * @property {number} [status]
 * @property {Record<string, string>} [headers]
 * @property {unknown} [body]
 * @property {string[]} [sse] lines, and what the cases say in words
 * @property {(received: Received, response: http.ServerResponse) => unknown} [action]
 *
 * @typedef {object} Received
 * @property {string} verb
 * @property {string} path
 * @property {http.IncomingHttpHeaders} headers
 * @property {string} [rpc]
 * @property {any} [message]
 * @property {number} nth
 */

const EVENTS = { "content-type": "text/event-stream" };

/** A fake MCP server over Streamable HTTP that does what its rules say, and is a plain server with sessions otherwise. */
export class FakeHttpServer {
	/** @type {Received[]} */
	requests = [];
	#sessions = new Set();
	#opened = 0;

	/** @param {{rules?: Rule[], tools?: unknown[], answers?: Record<string, (params: any) => object>}} scenario */
	constructor({ rules = [], tools = [], answers = {} } = {}) {
		this.rules = rules;
		this.answers = {
			initialize: ({ protocolVersion }) => ({
				protocolVersion,
				capabilities: { tools: {} },
				serverInfo: { name: "fake", version: "0.0.0" },
			}),
			ping: () => ({}),
			"tools/list": () => ({ tools }),
			"tools/call": () => ({ content: [{ type: "text", text: "ok" }] }),
			...answers,
		};
		this.server = http.createServer((request, response) => {
			this.#take(request, response).catch((error) => response.destroy(error));
		});
	}

	/**
	 * @param {import("node:test").TestContext} t
	 * @param {string} [host]
	 */
	async listen(t, host = "127.0.0.1") {
		this.server.listen(0, host);
		await once(this.server, "listening");
		t.after(() => {
			this.server.closeAllConnections();
			this.server.close();
		});
		this.port = /** @type {import("node:net").AddressInfo} */ (this.server.address()).port;
		return this;
	}

	/** The requests of a method of the protocol, or of HTTP. */
	sent(method) {
		return this.requests.filter(({ rpc, verb }) => [rpc, verb].includes(method));
	}

	forgetSessions() {
		this.#sessions.clear();
	}

	/** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
	async #take(request, response) {
		const chunks = await Array.fromAsync(request);
		const text = Buffer.concat(chunks).toString();
		const message = text ? JSON.parse(text) : undefined;
		const received = {
			verb: request.method ?? "",
			path: (request.url ?? "").split("?")[0],
			headers: request.headers,
			rpc: message?.method,
			message,
			nth: 0,
		};
		this.requests.push(received);
		received.nth = received.rpc ? this.sent(received.rpc).length : 0;
		const rule = this.rules.find(({ when }) => this.#fits(when, received));
		if (!rule) return this.#byDefault(received, response);
		if (rule.action) return rule.action(received, response);
		if (rule.sse) return this.#stream(rule, response);
		const body = typeof rule.body === "object" ? JSON.stringify(rule.body) : String(rule.body ?? "");
		const type = typeof rule.body === "object" ? "application/json" : "text/plain";
		response.writeHead(rule.status ?? 200, { "content-type": type, ...rule.headers }).end(body);
	}

	#fits({ verb, path, rpc, session, nth, header_missing, header, after_n = 0 }, received) {
		const { headers } = received;
		const has = (/** @type {Received} */ { headers }) => !header || hasHeader(headers, header);
		return (
			has(received) &&
			(!after_n || this.requests.filter(has).length > after_n) &&
			(verb ?? received.verb) === received.verb &&
			(path ?? received.path) === received.path &&
			(rpc ?? received.rpc) === received.rpc &&
			(nth ?? received.nth) === received.nth &&
			(session !== "old" || !this.#knows(headers)) &&
			(!header_missing || header_missing.some((part) => !hasPart(headers, part)))
		);
	}

	#knows(headers) {
		return this.#sessions.has(headers["mcp-session-id"]);
	}

	/** Lines as they stand, and what the cases say in words. */
	async #stream({ sse = [], headers }, response) {
		response.writeHead(200, { ...EVENTS, ...headers });
		for (const line of sse) {
			if (line.startsWith("close the socket")) {
				// An id counts only once its event has ended.
				response.write("\n");
				await sleep(50);
				response.destroy();
			} else if (line.includes("for ever")) {
				const pinging = setInterval(() => response.write(": ping\n\n"), 100);
				response.on("close", () => clearInterval(pinging));
			} else {
				response.write(`${line}\n`);
			}
		}
	}

	#byDefault(received, response) {
		const { verb, rpc, message } = received;
		if (verb === "DELETE") return response.writeHead(200).end();
		if (verb !== "POST") return response.writeHead(405).end();
		const fail = (status, code, text) =>
			reply(response, { id: message.id ?? null, error: { code, message: text } }, { status });
		if (rpc === "initialize") {
			const id = `session-${++this.#opened}`;
			this.#sessions.add(id);
			return this.#answer(message, response, { "mcp-session-id": id });
		}
		if (!received.headers["mcp-session-id"]) return fail(400, -32000, "Bad Request: no session id");
		if (!this.#knows(received.headers)) return fail(404, -32001, "Session not found");
		if (message.id === undefined) return response.writeHead(202).end();
		this.#answer(message, response);
	}

	#answer(message, response, headers = {}) {
		reply(response, this.answerTo(message), { headers });
	}

	/** The JSON-RPC answer that the server gives by itself. */
	answerTo({ id, method, params }) {
		const answer = this.answers[method];
		return answer ? { id, result: answer(params ?? {}) } : { id, error: { code: -32601, message: "Unknown method" } };
	}
}

/** @param {http.ServerResponse} response */
export function reply(response, answer, { status = 200, headers = {} } = {}) {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify({ jsonrpc: "2.0", ...answer }));
}

/** Begins a stream of events. @param {http.ServerResponse} response */
export function events(response, headers = {}) {
	return response.writeHead(200, { ...EVENTS, ...headers });
}

function hasHeader(headers, line) {
	const [name, value] = line.split(/: */);
	return headers[name] === value;
}

/** `name: part`, of a header that lists several. */
function hasPart(headers, part) {
	const [name, wanted] = part.split(/: */);
	const parts = String(headers[name] ?? "").split(",");
	return parts.some((value) => value.trim() === wanted);
}
