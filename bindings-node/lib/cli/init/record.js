import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { AgentToolsError } from "../../agent-tools-error.js";
import { readText, writeText } from "./file.js";
import { exists } from "./place.js";

/**
 * What init has written into a file, and what stood there before, so that it can be undone.
 *
 * @typedef {object} Written
 * @property {string} client
 * @property {import("./client.js").Scope} scope
 * @property {string} file
 * @property {string | undefined} before the whole file, where it can be put back as it was; undefined where there was none
 * @property {boolean} whole whether `before` is what stood there before anything of init did
 * @property {string} after the hash of what was written
 * @property {import("./edit.js").Edit} [edit] undefined where the file as a whole is init's
 * @property {unknown} [previous]
 * @property {string[]} [made]
 * @property {string[]} [undo] the client's own command that takes it out
 */

/** It may hold secrets of the user's, as the file does. */
const PRIVATE = 0o600;

/** @param {string} text */
export function hashOf(text) {
	return createHash("sha256").update(text).digest("hex");
}

/**
 * @param {import("./place.js").Place} place
 * @param {Written} record
 */
export async function keep(place, record) {
	const file = fileOf(place, record);
	mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
	chmodSync(path.dirname(file), 0o700);
	await writeText(readText(file), `${JSON.stringify(record, null, 2)}\n`, PRIVATE);
}

/**
 * @param {import("./place.js").Place} place
 * @param {Pick<Written, "client" | "file">} which
 */
export function forget(place, which) {
	rmSync(fileOf(place, which), { force: true });
}

/**
 * @param {import("./place.js").Place} place
 * @param {string} client
 * @returns {Written[]}
 */
export function recordsOf(place, client) {
	const folder = place.inData("init");
	if (!exists(folder)) return [];
	const files = readdirSync(folder).filter((name) => name.startsWith(`${client}.`) && name.endsWith(".json"));
	return files.sort().map((name) => read(path.join(folder, name)));
}

/** @param {string} file @returns {Written} */
function read(file) {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch {
		throw new AgentToolsError("FILE_BROKEN", `${file}, which says what init has written, cannot be read`, {
			hint: "Take the entry out of the client's file yourself, and remove this one.",
		});
	}
}

/**
 * @param {import("./place.js").Place} place
 * @param {Pick<Written, "client" | "file">} which
 */
function fileOf(place, { client, file }) {
	return place.inData("init", `${client}.${hashOf(file).slice(0, 16)}.json`);
}
