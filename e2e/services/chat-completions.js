// A server that speaks OpenAI's streamed chat completions, as far as one question and one answer go.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listening } from "../harness/listening.js";

/**
 * @param {import("node:test").TestContext} t
 * @param {(request: any) => string | Promise<string>} answer
 */
export async function startChatCompletions(t, answer) {
	/** @type {any[]} */
	const received = [];
	const server = createServer(async (request, response) => {
		if (request.method !== "POST" || request.url !== "/v1/chat/completions") return response.writeHead(404).end();
		const body = await json(request);
		received.push(body);
		const content = await answer(body);
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
		response.end("data: [DONE]\n\n");
	});
	const port = await listening(t, server);
	return { url: `http://127.0.0.1:${port}/v1`, received };
}
