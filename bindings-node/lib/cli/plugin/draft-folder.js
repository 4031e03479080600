import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { AgentToolsError } from "../../agent-tools-error.js";
import { UsageError } from "../usage-error.js";

/**
 * A folder that is written beside its place and put there when it is whole, so that nobody finds half of it.
 */
export class DraftFolder {
	/** Folders above it that were not there, the outermost first. @type {string[]} */
	#made = [];
	#forget = () => this.remove();

	/** @param {string} place where it will be; nothing may be there */
	constructor(place) {
		this.place = place;
		checkFree(place);
		const parent = path.dirname(place);
		this.#made = reported(() => makeFolders(parent), parent);
		this.dir = reported(() => mkdtempSync(path.join(parent, `.${path.basename(place)}-`)), parent);
		chmodSync(this.dir, 0o777 & ~process.umask());
		/** For what the runtime keeps while it is tried. */
		this.dataDir = mkdtempSync(path.join(tmpdir(), "agent-tools-draft-"));
		process.once("exit", this.#forget);
	}

	/** @param {Record<string, string>} files by their path in the folder */
	write(files) {
		for (const [file, text] of Object.entries(files)) {
			const target = path.join(this.dir, file);
			reported(() => {
				mkdirSync(path.dirname(target), { recursive: true });
				writeFileSync(target, text, { flag: "w", mode: 0o644 });
			}, target);
		}
	}

	/** Puts it where it belongs. */
	finish() {
		checkFree(this.place);
		reported(() => renameSync(this.dir, this.place), this.place);
		this.#made = [];
	}

	/** Takes back all that was written, but not what is in its place. */
	remove() {
		process.off("exit", this.#forget);
		for (const dir of [this.dir, this.dataDir]) rmSync(dir, { recursive: true, force: true });
		for (const dir of this.#made.reverse()) removeEmpty(dir);
	}
}

/** @param {string} place where nothing may be */
export function checkFree(place) {
	if (!existsSync(place)) return;
	throw new UsageError(
		`${place} is there already, and nothing of it was changed`,
		"Choose another name, or another folder with --out FOLDER.",
	);
}

/**
 * @template T
 * @param {() => T} work
 * @param {string} place
 */
function reported(work, place) {
	try {
		return work();
	} catch (error) {
		const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
		throw new AgentToolsError("CONFIG_INVALID", `${place} cannot be written: ${code ?? message}`, {
			hint: "Choose a folder that you may write to: --out FOLDER.",
		});
	}
}

/**
 * Those that were not there, the outermost first. By `recursive` Node would try for ever where a file system takes no folders.
 *
 * @param {string} dir
 * @returns {string[]}
 */
function makeFolders(dir) {
	if (existsSync(dir)) return [];
	const made = makeFolders(path.dirname(dir));
	mkdirSync(dir);
	return [...made, dir];
}

/** @param {string} dir that somebody may have used meanwhile */
function removeEmpty(dir) {
	try {
		rmdirSync(dir);
	} catch {
		// It stays.
	}
}
