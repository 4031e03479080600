import { fill } from "./script.js";

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/**
 * Streams a turn as server-sent `chat.completion.chunk` events, in small pieces as a model does.
 *
 * @param {import("node:http").ServerResponse} response
 * @param {{id: string, model: string, turn: import("./script.js").Turn, toolResult: string}} reply
 */
export function streamTurn(response, { id, model, turn, toolResult }) {
	const send = (/** @type {object} */ fields) =>
		response.write(
			`data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 0, model, ...fields })}\n\n`,
		);
	const delta = (/** @type {object} */ value, /** @type {string | null} */ finish_reason = null) =>
		send({ choices: [{ index: 0, delta: value, finish_reason }] });

	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	delta({ role: "assistant", content: "" });
	for (const [piece] of String(fill(turn.text ?? "", toolResult)).matchAll(/.{1,16}/gsu)) delta({ content: piece });

	const calls = turn.tool_calls ?? [];
	calls.forEach((call, index) => {
		const filled = fill(call.arguments ?? {}, toolResult);
		const text = typeof filled === "string" ? filled : JSON.stringify(filled);
		const half = Math.ceil(text.length / 2);
		const head = { index, id: `${id}_${index}`, type: "function" };
		delta({ tool_calls: [{ ...head, function: { name: call.name, arguments: "" } }] });
		delta({ tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] });
		delta({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] });
	});

	delta({}, calls.length > 0 ? "tool_calls" : "stop");
	send({ choices: [], usage: USAGE });
	response.end("data: [DONE]\n\n");
}
