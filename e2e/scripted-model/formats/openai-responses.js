// OpenAI's responses: Codex.

import { textOf } from "../messages.js";
import { callsOf, halves, wordsOf } from "../script.js";
import { startEvents } from "../server-sent-events.js";

const USAGE = {
	input_tokens: 1,
	input_tokens_details: { cached_tokens: 0 },
	output_tokens: 1,
	output_tokens_details: { reasoning_tokens: 0 },
	total_tokens: 2,
};

/** @type {import("../formats.js").Format} */
export const openaiResponses = {
	route: "/responses",
	messages: ({ input = [] }) => (Array.isArray(input) ? joined(input) : [{ role: "user", content: input }]),
	// The tools of one server come together, and a call names both.
	toolNames: ({ tools = [] }) =>
		tools.flatMap((/** @type {any} */ tool) =>
			tool.type === "namespace"
				? tool.tools.map((/** @type {any} */ { name }) => `${tool.name}/${name}`)
				: (tool.name ?? tool.type),
		),

	stream(response, { id, model, turn, toolResult }) {
		const event = startEvents(response);
		let sequence_number = 0;
		const send = (/** @type {string} */ type, /** @type {object} */ fields) =>
			event({ type, sequence_number: sequence_number++, ...fields }, type);
		/** @type {object[]} */
		const output = [];
		const item = (/** @type {any} */ empty, /** @type {any} */ full, /** @type {() => void} */ between) => {
			send("response.output_item.added", { output_index: output.length, item: { ...empty, status: "in_progress" } });
			between();
			const done = { ...full, status: "completed" };
			send("response.output_item.done", { output_index: output.length, item: done });
			output.push(done);
		};
		const whole = (/** @type {string} */ status) => ({ id, object: "response", created_at: 0, model, status, output });

		send("response.created", { response: whole("in_progress") });
		const words = wordsOf(turn, toolResult);
		if (words.length > 0) {
			const message = { type: "message", id: `msg_${id}`, role: "assistant" };
			const part = (/** @type {string} */ text) => ({ type: "output_text", text, annotations: [] });
			item({ ...message, content: [] }, { ...message, content: [part(words.join(""))] }, () => {
				const at = { item_id: message.id, output_index: output.length, content_index: 0 };
				send("response.content_part.added", { ...at, part: part("") });
				for (const delta of words) send("response.output_text.delta", { ...at, delta });
				send("response.output_text.done", { ...at, text: words.join("") });
				send("response.content_part.done", { ...at, part: part(words.join("")) });
			});
		}
		callsOf(turn, toolResult).forEach(({ name, text }, number) => {
			const [own, namespace] = name.split("/").reverse();
			const call = { type: "function_call", id: `fc_${id}_${number}`, call_id: `call_${id}_${number}` };
			const named = { ...call, name: own, ...(namespace && { namespace }) };
			item({ ...named, arguments: "" }, { ...named, arguments: text }, () => {
				const at = { item_id: call.id, output_index: output.length };
				for (const delta of halves(text)) send("response.function_call_arguments.delta", { ...at, delta });
				send("response.function_call_arguments.done", { ...at, arguments: text });
			});
		});
		send("response.completed", { response: { ...whole("completed"), usage: USAGE } });
		response.end();
	},
};

/**
 * What the model said and called in one answer stands there as several items; here that is one message.
 *
 * @param {any[]} items
 */
function joined(items) {
	const messages = items.map((item) => {
		if (item.type === "function_call_output") return { role: "tool", content: textOf(item.output) };
		if (item.type === "message" || item.role) return { role: item.role, content: textOf(item.content) };
		return { role: "assistant", content: "" };
	});
	return messages.filter(({ role }, at) => role !== "assistant" || messages[at - 1]?.role !== "assistant");
}
