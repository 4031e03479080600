// Pictures as Ollama takes them: base64.

import { readFile } from "node:fs/promises";
import { OllamaError } from "./client.mjs";

/** How files of the kinds begin that vision models read: PNG, JPEG, GIF, WebP; in hexadecimal. */
const SIGNATURES = [/^89504e470d0a1a0a/, /^ffd8ff/, /^474946383[79]61/, /^52494646.{8}57454250/];
const LARGEST = 20 << 20;

/** What a skill says of its argument `image`. */
export const IMAGE = {
	type: "string",
	minLength: 1,
	description: "The picture (PNG, JPEG, GIF or WebP): the path of a file, or its content in base64 or as a data: URL",
};

/**
 * Nothing but a picture is sent on, whatever the path leads to.
 *
 * @param {string} image
 * @returns {Promise<string>} its content in base64
 */
export async function readImage(image) {
	const [, embedded] = /^data:image\/[\w.+-]+;base64,(.*)$/s.exec(image) ?? [];
	const bytes = embedded === undefined ? (plain(image) ?? (await file(image))) : Buffer.from(embedded, "base64");
	if (bytes.length > LARGEST)
		throw new OllamaError(`the picture has ${bytes.length} bytes; at most ${LARGEST} are sent`);
	const start = bytes.subarray(0, 12).toString("hex");
	if (!SIGNATURES.some((signature) => signature.test(start))) {
		throw new OllamaError("the argument `image` is no PNG, JPEG, GIF or WebP picture", {
			code: "ARG_VALIDATION_FAILED",
			hint: "Give the path of a picture, or its content in base64.",
		});
	}
	return bytes.toString("base64");
}

/**
 * Base64 of at least a signature's length; a path has a dot, or is shorter.
 *
 * @param {string} image
 */
function plain(image) {
	const text = image.replaceAll(/\s/g, "");
	return text.length >= 24 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
}

/** @param {string} path */
async function file(path) {
	try {
		return await readFile(path);
	} catch (cause) {
		const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
		throw new OllamaError(`the picture ${path} cannot be read (${code})`, { code: "ARG_VALIDATION_FAILED", cause });
	}
}
