// OpenAI's chat completions: Pi, eve, and most programs that take any endpoint.

import { textOf } from "../messages.js";
import { callsOf, halves, wordsOf } from "../script.js";
import { startEvents } from "../server-sent-events.js";

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** @type {import("../formats.js").Format} */
export const chatCompletions = {
	route: "/chat/completions",
	messages: ({ messages = [] }) =>
		messages.map((/** @type {any} */ { role, content }) => ({ role, content: textOf(content) })),
	toolNames: ({ tools = [] }) => tools.map((/** @type {any} */ tool) => tool.function?.name ?? tool.name),

	stream(response, { id, model, turn, toolResult }) {
		const event = startEvents(response);
		const send = (/** @type {object} */ fields) =>
			event({ id, object: "chat.completion.chunk", created: 0, model, ...fields });
		const delta = (/** @type {object} */ value, /** @type {string | null} */ finish_reason = null) =>
			send({ choices: [{ index: 0, delta: value, finish_reason }] });

		delta({ role: "assistant", content: "" });
		for (const piece of wordsOf(turn, toolResult)) delta({ content: piece });
		const calls = callsOf(turn, toolResult);
		calls.forEach(({ name, text }, index) => {
			delta({ tool_calls: [{ index, id: `${id}_${index}`, type: "function", function: { name, arguments: "" } }] });
			for (const half of halves(text)) delta({ tool_calls: [{ index, function: { arguments: half } }] });
		});
		delta({}, calls.length > 0 ? "tool_calls" : "stop");
		send({ choices: [], usage: USAGE });
		response.end("data: [DONE]\n\n");
	},
};
