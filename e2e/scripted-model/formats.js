import { anthropicMessages } from "./formats/anthropic-messages.js";
import { chatCompletions } from "./formats/chat-completions.js";
import { openaiResponses } from "./formats/openai-responses.js";

/**
 * How a client speaks with its model.
 *
 * @typedef {object} Format
 * @property {string} route how the path ends
 * @property {(body: any) => import("./script.js").Message[]} messages the conversation, a message for each answer of the
 *   model, and one of the role `tool` for each result
 * @property {(body: any) => string[]} toolNames
 * @property {(response: import("node:http").ServerResponse, reply: Reply) => void} stream
 *
 * @typedef {{id: string, model: string, turn: import("./script.js").Turn, toolResult: string}} Reply
 */

const FORMATS = [chatCompletions, openaiResponses, anthropicMessages];

/**
 * @param {string} url of a request
 * @returns {Format | undefined}
 */
export function formatOf(url) {
	const [path = ""] = url.split("?");
	return FORMATS.find(({ route }) => path.endsWith(route));
}
