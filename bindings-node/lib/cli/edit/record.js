import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { AgentToolsError } from "../../agent-tools-error.js";
import { exists, ofSystem, readText, writeText } from "./file.js";

/** It may hold secrets of the user's, as the file does. */
const PRIVATE = { mode: 0o600 };

/** @param {string} text */
export function hashOf(text) {
	return createHash("sha256").update(text).digest("hex");
}

/**
 * What was written into files, and what stood there before, so that it can be taken back: by a name, and by the file.
 *
 * @template {{file: string}} Written
 */
export class Records {
	#folder;
	#hint;

	/**
	 * @param {string} folder
	 * @param {string} hint what to do about one that cannot be read
	 */
	constructor(folder, hint) {
		this.#folder = folder;
		this.#hint = hint;
	}

	/**
	 * @param {string} name
	 * @param {Written} record
	 */
	async keep(name, record) {
		ofSystem(this.#folder, "written", () => {
			mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
			chmodSync(this.#folder, 0o700);
		});
		const file = this.#fileOf(name, record.file);
		await writeText(readText(file), `${JSON.stringify(record, null, 2)}\n`, PRIVATE);
	}

	/**
	 * @param {string} name
	 * @param {string} file
	 */
	forget(name, file) {
		const kept = this.#fileOf(name, file);
		if (exists(kept)) ofSystem(kept, "written", () => rmSync(kept));
	}

	/**
	 * @param {string} name
	 * @returns {Written[]}
	 */
	of(name) {
		if (!exists(this.#folder)) return [];
		const all = ofSystem(this.#folder, "read", () => readdirSync(this.#folder));
		const files = all.filter((file) => file.startsWith(`${name}.`) && file.endsWith(".json"));
		return files
			.sort()
			.map((file) => this.#read(path.join(this.#folder, file)))
			.filter((record) => typeof record?.file === "string");
	}

	/** @param {string} file @returns {Written} */
	#read(file) {
		try {
			return JSON.parse(readFileSync(file, "utf8"));
		} catch {
			throw new AgentToolsError("FILE_BROKEN", `${file}, which says what was written, cannot be read`, {
				hint: this.#hint,
			});
		}
	}

	/**
	 * @param {string} name
	 * @param {string} file
	 */
	#fileOf(name, file) {
		return path.join(this.#folder, `${name}.${hashOf(file).slice(0, 16)}.json`);
	}
}
