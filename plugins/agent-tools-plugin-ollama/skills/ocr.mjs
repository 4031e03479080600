import { ask, VISION_ARGUMENTS } from "../vision.mjs";

const PROMPT =
	"Write down all the text in this picture, exactly as it stands, in reading order. Keep lines and tables (tables as Markdown). " +
	"Write nothing else; if there is no text, write nothing at all.";

export const meta = {
	description: "Read the text in a picture, a scan or a screenshot (OCR)",
	args: "image (path or base64), model?, language?",
	inputSchema: {
		type: "object",
		properties: { ...VISION_ARGUMENTS, language: { type: "string", description: "Of the text, where it is known" } },
		required: ["image"],
		additionalProperties: false,
	},
};

/**
 * @param {any} adapter
 * @param {{image: string, model?: string, language?: string}} args
 */
export async function run(adapter, { image, model: chosen, language }) {
	const prompt = language ? `${PROMPT} The text is in ${language}.` : PROMPT;
	const { model, text } = await ask(adapter, { image, model: chosen, prompt });
	return { model, text: text.trim() };
}
