import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { formatOf } from "./formats.js";
import { newestToolResult } from "./messages.js";
import { Scripts, unmet } from "./script.js";

/**
 * @typedef {object} LoggedRequest
 * @property {number} n
 * @property {number} at_ms since the server started
 * @property {number} turn
 * @property {string[]} tool_names
 * @property {string} tool_result the newest tool results in it
 * @property {string[]} failed_expectations
 * @property {any} body
 */

const MODEL = "scripted";

/** A model's server on 127.0.0.1 that plays scripts, in the format of the route that is asked. */
export class ScriptedModel {
	/** @type {LoggedRequest[]} */
	requests = [];
	#startedAt = Date.now();
	#server = createServer((request, response) => void this.#answer(request, response));
	/** Settles when the server has stopped, whoever stopped it. */
	stopped = once(this.#server, "close");
	#scripts;
	#onRequest;

	/**
	 * @param {Scripts} scripts
	 * @param {(request: LoggedRequest) => void} [onRequest]
	 */
	constructor(scripts, onRequest) {
		this.#scripts = scripts;
		this.#onRequest = onRequest;
	}

	/**
	 * @param {import("./script.js").Script | Scripts | string} script a script, several, or the path of one or of a folder
	 * @param {{port?: number, onRequest?: (request: LoggedRequest) => void}} [options]
	 */
	static async start(script, { port = 0, onRequest } = {}) {
		const scripts = Scripts.from(script);
		const model = new ScriptedModel(scripts, onRequest);
		model.#server.listen(port, "127.0.0.1");
		await once(model.#server, "listening");
		return model;
	}

	get port() {
		return /** @type {import("node:net").AddressInfo} */ (this.#server.address()).port;
	}

	get baseUrl() {
		return `http://127.0.0.1:${this.port}/v1`;
	}

	/** What went otherwise than the script says. */
	get complaints() {
		return this.requests.flatMap(({ n, failed_expectations }) =>
			failed_expectations.map((complaint) => `request ${n}: ${complaint}`),
		);
	}

	async stop() {
		this.#server.close();
		this.#server.closeAllConnections();
		await this.stopped;
	}

	/**
	 * @param {import("node:http").IncomingMessage} request
	 * @param {import("node:http").ServerResponse} response
	 */
	async #answer(request, response) {
		const path = request.url ?? "";
		if (request.method === "POST" && path === "/__stop") {
			response.once("finish", () => void this.stop());
			return sendJson(response, 200, { complaints: this.complaints });
		}
		if (request.method === "GET" && path.endsWith("/models"))
			return sendJson(response, 200, { object: "list", data: [{ id: MODEL, object: "model" }] });
		const format = formatOf(path);
		if (request.method !== "POST" || !format)
			return sendJson(response, 404, { error: { message: `no such route: ${request.method} ${path}` } });
		try {
			await this.#play(format, await readJson(request), response);
		} catch (error) {
			sendJson(response, 500, { error: { message: String(error) } });
		}
	}

	/**
	 * @param {import("./formats.js").Format} format
	 * @param {any} body
	 * @param {import("node:http").ServerResponse} response
	 */
	async #play(format, body, response) {
		const messages = format.messages(body);
		const toolNames = format.toolNames(body);
		const toolResult = newestToolResult(messages);
		const { index, turn } = this.#scripts.choose(messages);
		const logged = {
			n: this.requests.length + 1,
			at_ms: Date.now() - this.#startedAt,
			turn: index,
			tool_names: toolNames,
			tool_result: toolResult,
			failed_expectations: turn ? unmet(turn.expect, toolNames, toolResult) : [`the script has no turn ${index}`],
			body,
		};
		this.requests.push(logged);
		this.#onRequest?.(logged);

		if (turn?.delay_ms) await sleep(turn.delay_ms);
		if (turn?.status) return sendJson(response, turn.status, { error: { message: turn.text ?? "scripted error" } });
		format.stream(response, {
			id: `chatcmpl-${logged.n}`,
			model: MODEL,
			turn: turn ?? { text: "(the script is over)" },
			toolResult,
		});
	}
}

/** @param {import("node:http").IncomingMessage} request */
async function readJson(request) {
	const parts = [];
	for await (const part of request) parts.push(part);
	return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {object} value
 */
function sendJson(response, status, value) {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(value));
}
