// What the three skills for pictures share: one question to a model that sees.

import { IMAGE, readImage } from "./images.mjs";

const DEFAULT_MODEL = "gemma4:cloud";

/** Arguments that each of them takes. */
export const VISION_ARGUMENTS = {
	image: IMAGE,
	model: { type: "string", minLength: 1, description: `A model that sees; ${DEFAULT_MODEL} unless said otherwise` },
};

/**
 * @param {any} adapter
 * @param {{image: string, model?: string, prompt: string, format?: object}} question
 * @returns {Promise<{model: string, text: string}>}
 */
export async function ask(adapter, { image, model = DEFAULT_MODEL, prompt, format }) {
	const message = { role: "user", content: prompt, images: [await readImage(image)] };
	// The same picture gives the same answer, as far as a model can.
	const request = { model, messages: [message], format, options: { temperature: 0 } };
	const reply = await adapter.call("chat", JSON.parse(JSON.stringify(request)));
	const text = reply.content[0].text;
	if (reply.isError) throw new Error(text);
	const answer = JSON.parse(text);
	return { model: answer.model, text: answer.text };
}
