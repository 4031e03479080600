import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";
import { folder, variableOf } from "../places.js";
import { checksOf } from "./check.js";

const { ok, error } = checksOf("Folders");

/** @type {Record<import("../places.js").Kind, string>} what is kept there */
const KINDS = {
	config: "your settings",
	data: "logins, secrets and what you trust",
	state: "the call log",
	cache: "what plugins offer",
};

export function folderChecks() {
	return /** @type {import("../places.js").Kind[]} */ (Object.keys(KINDS)).map((kind) => {
		const place = folder(kind);
		const id = `folders.${kind}`;
		const what = `${place} (${KINDS[kind]})`;
		const existing = nearest(place);
		if (!statSync(existing).isDirectory()) {
			const fix = `mv '${existing}' '${existing}.old', or name another folder in ${variableOf(kind)}`;
			return error(id, `${what}: ${existing} is a file and no folder`, fix);
		}
		// The settings are only read.
		const why = kind === "config" && existing !== place ? undefined : refused(existing, kind);
		if (!why) return ok(id, existing === place ? what : `${what}: made when it is needed`);
		const fix = `sudo chown -R "$(id -un)" '${existing}', or name another folder in ${variableOf(kind)}`;
		return error(id, `${what}: ${why}`, process.platform === "win32" ? undefined : fix);
	});
}

/**
 * The folder itself, or the one that it would be made in.
 *
 * @param {string} place
 * @returns {string}
 */
function nearest(place) {
	const parent = path.dirname(place);
	return existsSync(place) || parent === place ? place : nearest(parent);
}

/**
 * @param {string} place
 * @param {string} kind
 */
function refused(place, kind) {
	const wanted = kind === "config" ? constants.R_OK : constants.R_OK | constants.W_OK;
	try {
		accessSync(place, wanted | constants.X_OK);
		return undefined;
	} catch (thrown) {
		const { code } = /** @type {NodeJS.ErrnoException} */ (thrown);
		if (code === "EROFS") return `${place} is on a disk that cannot be written`;
		return `you may not ${kind === "config" ? "read" : "write into"} ${place}`;
	}
}
