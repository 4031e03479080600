import { writeFileSync } from "node:fs";
import path from "node:path";
import { plainText } from "../plain-text.js";
import { print, say, sayAs } from "../report.js";

/**
 * @typedef {import("../../../index.d.ts").ContentBlock} ContentBlock
 * @typedef {{uri?: string, name?: string, mimeType?: string, text?: string, blob?: string}} Resource
 * @typedef {{data: Buffer, mimeType: string}} Binary
 */

/**
 * Texts go to stdout, one after the other; what is no text is saved as `out`, or described on stderr.
 *
 * @param {ContentBlock[]} content
 * @param {string} [out]
 */
export async function printContent(content, out) {
	const binaries = content.flatMap(binaryOf);
	for (const part of content) {
		const text = textOf(part);
		if (text !== undefined) await printText(text);
	}
	if (out !== undefined) return save(binaries, path.resolve(out));
	for (const { data, mimeType } of binaries) {
		say(`${plainText(mimeType)}, ${sizeOf(data.length)}: --out FILE saves it`);
	}
}

/**
 * A text as it is; on a terminal JSON is laid out, and nothing steers the terminal.
 *
 * @param {string} text
 */
export async function printText(text) {
	const shown = process.stdout.isTTY ? plainText(laidOut(text)) : text;
	await print(shown.endsWith("\n") ? shown : `${shown}\n`);
}

/** @param {string} text */
function laidOut(text) {
	if (!/^\s*[{[]/.test(text)) return text;
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

/**
 * @param {ContentBlock} part
 * @returns {string | undefined}
 */
function textOf(part) {
	if (part.type === "text") return String(part.text);
	if (part.type === "resource") return /** @type {Resource | undefined} */ (part.resource)?.text;
	if (part.type !== "resource_link") return undefined;
	const { uri = "", name = "" } = /** @type {Resource} */ (part);
	return `${uri}  ${name}`.trimEnd();
}

/**
 * @param {ContentBlock} part
 * @returns {Binary[]}
 */
function binaryOf(part) {
	const { blob, mimeType = "application/octet-stream" } = /** @type {Resource} */ (part.resource ?? {});
	if (part.type === "image" || part.type === "audio") {
		return [{ data: Buffer.from(String(part.data), "base64"), mimeType: String(part.mimeType) }];
	}
	return blob === undefined ? [] : [{ data: Buffer.from(blob, "base64"), mimeType }];
}

/**
 * The first under the name that was given, further ones numbered: `cat.png`, `cat-2.png`.
 *
 * @param {Binary[]} binaries
 * @param {string} out
 */
function save(binaries, out) {
	if (binaries.length === 0) sayAs("warning", "the reply has nothing to save: it is text alone");
	const { dir, name, ext } = path.parse(out);
	for (const [index, { data, mimeType }] of binaries.entries()) {
		const file = index === 0 ? out : path.join(dir, `${name}-${index + 1}${ext}`);
		writeFileSync(file, data);
		say(`${file}: ${plainText(mimeType)}, ${sizeOf(data.length)}`);
	}
}

/** @param {number} bytes */
function sizeOf(bytes) {
	return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} KB`;
}
