import { ask, VISION_ARGUMENTS } from "../vision.mjs";

/** Models give boxes on a scale of their own, whatever the picture measures. */
const SCALE = 1000;

const ANSWER = {
	type: "object",
	properties: {
		boxes: {
			type: "array",
			items: {
				type: "object",
				properties: {
					label: { type: "string" },
					box: { type: "array", items: { type: "number" }, minItems: 4, maxItems: 4 },
				},
				required: ["label", "box"],
			},
		},
	},
	required: ["boxes"],
};

export const meta = {
	description: "Find where things are in a picture: bounding boxes of what is named",
	args: "image (path or base64), target, model?",
	inputSchema: {
		type: "object",
		properties: {
			...VISION_ARGUMENTS,
			target: { type: "string", minLength: 1, description: "What to look for, such as `the Save button`" },
		},
		required: ["image", "target"],
		additionalProperties: false,
	},
};

/**
 * @param {any} adapter
 * @param {{image: string, target: string, model?: string}} args
 */
export async function run(adapter, { image, target, model: chosen }) {
	const prompt =
		`Find every ${JSON.stringify(target)} in this picture. Give for each a label and its box as [x1, y1, x2, y2], ` +
		`from 0 to ${SCALE} from the left and from the top. Give no boxes where there is none.`;
	const { model, text } = await ask(adapter, { image, model: chosen, prompt, format: ANSWER });
	const { boxes, left } = sound(text);
	return {
		model,
		scale: SCALE,
		boxes,
		...(left > 0 && { left, note: `${left} boxes were no boxes and were left out` }),
	};
}

/**
 * The boxes that are some; what a model makes up beyond that is counted, not passed on.
 *
 * @param {string} text
 */
function sound(text) {
	let said;
	try {
		said = JSON.parse(text).boxes;
	} catch (cause) {
		throw new Error(`the model gave no boxes: ${text.slice(0, 200)}`, { cause });
	}
	if (!Array.isArray(said)) throw new Error(`the model gave no boxes: ${text.slice(0, 200)}`);
	const boxes = said.filter(({ box }) => {
		const [x1, y1, x2, y2] = Array.isArray(box) ? box : [];
		return [x1, y1, x2, y2].every((n) => n >= 0 && n <= SCALE) && x1 < x2 && y1 < y2;
	});
	return { boxes, left: said.length - boxes.length };
}
