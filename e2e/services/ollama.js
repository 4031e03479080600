// A server that speaks Ollama's HTTP API (https://docs.ollama.com/api), strict in what it takes.

import { createServer } from "node:http";
import { text as read } from "node:stream/consumers";
import { listening } from "../harness/listening.js";

const MODELS = [
	{
		name: "gemma3:4b",
		model: "gemma3:4b",
		modified_at: "2026-10-02T09:11:00Z",
		size: 3338801804,
		digest: "a2af6cc3eb7fa8be8504abaf9b04e88f17a119ec3f04a3addf55f92841195f5a",
		details: {
			parent_model: "",
			format: "gguf",
			family: "gemma3",
			families: ["gemma3"],
			parameter_size: "4.3B",
			quantization_level: "Q4_K_M",
		},
	},
	{
		name: "gemma4:cloud",
		model: "gemma4:cloud",
		modified_at: "2026-11-20T12:00:00Z",
		size: 384,
		digest: "b1c2",
		details: {
			parent_model: "",
			format: "",
			family: "gemma4",
			families: null,
			parameter_size: "",
			quantization_level: "",
		},
	},
];

/**
 * @typedef {{method: string, path: string, body: any, authorization?: string}} Received
 * @typedef {(request: Received, response: import("node:http").ServerResponse) => unknown} Behaviour
 */

/**
 * @param {import("node:test").TestContext} t
 * @param {{key?: string, answer?: string | ((request: Received) => string), models?: object[], behaviour?: Behaviour}} [options]
 *   `answer`: what the models say. `behaviour`: what happens instead of an answer, if it returns something.
 */
export async function startOllama(t, { key, answer = "Hello.", models = MODELS, behaviour } = {}) {
	/** @type {Received[]} */
	const received = [];
	const server = createServer(async (request, response) => {
		const { method = "", url: path = "", headers } = request;
		const text = await read(request);
		const body = text ? JSON.parse(text) : undefined;
		const asked = { method, path, body, authorization: headers.authorization };
		received.push(asked);
		const json = (status, value) =>
			response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(value));
		if (key !== undefined && headers.authorization !== `Bearer ${key}`) return json(401, { error: "unauthorized" });
		if (behaviour?.(asked, response)) return;
		if (body && headers["content-type"] !== "application/json") return json(400, { error: "invalid content type" });
		const has = () => models.some(({ name }) => name === body.model);
		const missing = () => json(404, { error: `model '${body.model}' not found` });
		switch (`${method} ${path}`) {
			case "GET /api/tags":
				return json(200, { models });
			case "GET /api/ps": {
				const [{ name, model, size, digest, details }] = /** @type {any[]} */ (models);
				const expires_at = "2026-12-02T10:00:00Z";
				return json(200, {
					models: [{ name, model, size, digest, details, expires_at, size_vram: size, context_length: 4096 }],
				});
			}
			case "POST /api/generate":
			case "POST /api/chat": {
				if (!has()) return missing();
				if (path === "/api/chat" && !Array.isArray(body.messages)) return json(400, { error: "messages is required" });
				const said = typeof answer === "string" ? answer : answer(asked);
				return stream(response, words(path, body.model, said));
			}
			case "POST /api/pull":
				return stream(response, pull(body.model));
			default:
				return response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found");
		}
	});
	const port = await listening(t, server);
	const posted = (path) => received.filter((request) => request.path === path);
	return { url: `http://127.0.0.1:${port}`, received, posted };
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {object[]} parts
 */
export async function stream(response, parts) {
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	for (const part of parts) {
		// In pieces that respect no lines, as a network makes them.
		const bytes = Buffer.from(`${JSON.stringify(part)}\n`);
		response.write(bytes.subarray(0, 7));
		await new Promise(setImmediate);
		response.write(bytes.subarray(7));
	}
	response.end();
}

/** @param {string} path @param {string} model @param {string} said */
function words(path, model, said) {
	const part = (text) =>
		path === "/api/chat" ? { message: { role: "assistant", content: text } } : { response: text };
	const head = { model, created_at: "2026-12-02T09:00:00Z" };
	const pieces = said.match(/\S+\s*/g) ?? [];
	return [
		...pieces.map((text) => ({ ...head, ...part(text), done: false })),
		{
			...head,
			...part(""),
			done: true,
			done_reason: "stop",
			total_duration: 1_500_000_000,
			prompt_eval_count: 11,
			eval_count: pieces.length,
		},
	];
}

/** @param {string} model */
function pull(model) {
	if (model.startsWith("no-such")) {
		return [{ status: "pulling manifest" }, { error: "pull model manifest: file does not exist" }];
	}
	const digest = "sha256:aeda25e63ebd698fab8638ffb778e68bed908b960d39d0becc650fa981609d25";
	const layer = { status: "pulling aeda25e63ebd", digest, total: 4000 };
	return [
		{ status: "pulling manifest" },
		layer,
		{ ...layer, completed: 1000 },
		{ ...layer, completed: 4000 },
		{ status: "verifying sha256 digest" },
		{ status: "writing manifest" },
		{ status: "success" },
	];
}
