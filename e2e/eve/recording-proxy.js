import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";

/**
 * @typedef {object} Exchange
 * @property {string} method
 * @property {string} path
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {any} message the JSON-RPC message, if there was one
 * @property {number | undefined} status
 */

/** Stands between eve and the runtime, and keeps what passes: the tests count real HTTP requests. */
export class RecordingProxy {
	/** @type {Exchange[]} */
	exchanges = [];
	/** Where requests go, `http://host:port`; a test may point it at another server. */
	target = "";
	#server = createServer((request, response) => void this.#forward(request, response));

	static async start() {
		const proxy = new RecordingProxy();
		proxy.#server.listen(0, "127.0.0.1");
		await once(proxy.#server, "listening");
		return proxy;
	}

	get url() {
		const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
		return `http://127.0.0.1:${port}`;
	}

	/** The JSON-RPC methods that passed, in order. */
	get methods() {
		return this.exchanges.map(({ method, message }) => message?.method ?? method);
	}

	/** The `params` of every tool call that passed. */
	get toolCalls() {
		return this.exchanges
			.filter(({ message }) => message?.method === "tools/call")
			.map(({ message }) => message.params);
	}

	stop() {
		this.#server.close();
		this.#server.closeAllConnections();
	}

	/**
	 * @param {import("node:http").IncomingMessage} request
	 * @param {import("node:http").ServerResponse} response
	 */
	async #forward(request, response) {
		const parts = [];
		for await (const part of request) parts.push(part);
		const body = Buffer.concat(parts);
		const { method = "", url: path = "", headers } = request;
		/** @type {Exchange} */
		const exchange = { method, path, headers, message: parsed(body), status: undefined };
		this.exchanges.push(exchange);

		const upstream = httpRequest(new URL(path, this.target), {
			method,
			headers: { ...headers, host: new URL(this.target).host },
		});
		upstream.on("response", (answer) => {
			exchange.status = answer.statusCode;
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		upstream.on("error", () => response.writeHead(502).end());
		response.on("close", () => upstream.destroy());
		upstream.end(body);
	}
}

/** @param {Buffer} body */
function parsed(body) {
	try {
		return JSON.parse(body.toString("utf8"));
	} catch {
		return undefined;
	}
}
