import { ask, VISION_ARGUMENTS } from "../vision.mjs";

export const meta = {
	description: "Ask a vision model about a picture: describe it, compare, answer a question",
	args: "image (path or base64), prompt, model?",
	inputSchema: {
		type: "object",
		properties: { ...VISION_ARGUMENTS, prompt: { type: "string", minLength: 1, description: "The question" } },
		required: ["image", "prompt"],
		additionalProperties: false,
	},
};

/**
 * @param {any} adapter
 * @param {{image: string, prompt: string, model?: string}} args
 */
export async function run(adapter, args) {
	const { model, text } = await ask(adapter, args);
	return { model, answer: text };
}
