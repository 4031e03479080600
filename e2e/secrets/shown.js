import { createHash } from "node:crypto";

/**
 * Of texts that a server was given: what no filter knows, so that a test can see what arrived.
 *
 * @param {string} text
 */
export function fingerprint(text) {
	return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

/**
 * The texts in many ways of writing them.
 *
 * @param {string[]} given
 */
export function written(given) {
	return given.flatMap((text) => [
		text,
		JSON.stringify(text),
		encodeURIComponent(text),
		Buffer.from(text).toString("base64"),
		Buffer.from(`user:${text.replace(/^[^=]*=/, "")}`).toString("base64url"),
		Buffer.from(text).toString("hex"),
	]);
}

/**
 * A result that shows what was given.
 *
 * @param {string[]} given
 * @param {boolean} isError
 */
export function shown(given, isError) {
	const values = given.flatMap((text) => [text.replace(/^[^=]*=/, ""), text.split(" ").at(-1) ?? ""]);
	return {
		content: [
			{ type: "text", text: `arrived: ${values.map(fingerprint).join(" ")}` },
			{ type: "text", text: written(given).join("\n") },
			{ type: "text", text: JSON.stringify({ given }) },
		],
		structuredContent: { given, byText: Object.fromEntries(given.map((text) => [text, text])) },
		_meta: { given },
		isError,
	};
}

/** @param {string[]} given */
export function toolsShowing(given) {
	const text = given.join(" ");
	return ["show", "error", "refuse", "crash"].map((name) => ({
		name,
		title: text,
		description: `Shows ${text}`,
		inputSchema: {
			type: "object",
			properties: { a: { type: "string", description: text, default: text, enum: undefined } },
		},
		annotations: { readOnlyHint: true },
	}));
}
