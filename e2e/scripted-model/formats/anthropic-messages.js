// Anthropic's messages: Claude Code.

import { textOf } from "../messages.js";
import { callsOf, halves, wordsOf } from "../script.js";
import { startEvents } from "../server-sent-events.js";

const USAGE = { input_tokens: 1, output_tokens: 1 };

/** @type {import("../formats.js").Format} */
export const anthropicMessages = {
	route: "/messages",
	messages: ({ messages = [] }) => messages.flatMap(split),
	toolNames: ({ tools = [] }) => tools.map((/** @type {any} */ tool) => tool.name),

	stream(response, { id, model, turn, toolResult }) {
		const event = startEvents(response);
		const send = (/** @type {string} */ type, fields = {}) => event({ type, ...fields }, type);
		let index = 0;
		const block = (/** @type {object} */ content_block, /** @type {object[]} */ deltas) => {
			send("content_block_start", { index, content_block });
			for (const delta of deltas) send("content_block_delta", { index, delta });
			send("content_block_stop", { index });
			index += 1;
		};

		const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null, usage: USAGE };
		send("message_start", { message: { ...message, stop_sequence: null } });
		const words = wordsOf(turn, toolResult);
		if (words.length > 0) {
			const deltas = words.map((text) => ({ type: "text_delta", text }));
			block({ type: "text", text: "" }, deltas);
		}
		const calls = callsOf(turn, toolResult);
		calls.forEach(({ name, text }, number) => {
			const deltas = halves(text).map((partial_json) => ({ type: "input_json_delta", partial_json }));
			block({ type: "tool_use", id: `toolu_${id}_${number}`, name, input: {} }, deltas);
		});
		const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
		send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: USAGE });
		send("message_stop");
		response.end();
	},
};

/**
 * Results of tools are parts of what the user says here; each becomes a message of its own, before the user's words.
 *
 * @param {any} message
 */
function split({ role, content }) {
	if (!Array.isArray(content)) return [{ role, content: textOf(content) }];
	const results = content.filter(({ type }) => type === "tool_result");
	const others = content.filter(({ type }) => type !== "tool_result");
	return [
		...results.map((part) => ({ role: "tool", content: textOf(part.content) })),
		...(others.length > 0 ? [{ role, content: textOf(others) }] : []),
	];
}
