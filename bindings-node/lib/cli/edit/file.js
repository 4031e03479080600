import { randomBytes } from "node:crypto";
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { AgentToolsError } from "../../agent-tools-error.js";
import { locked } from "./lock.js";

/** What marks a file as UTF-8; editors on Windows write it, and it stays. */
const BOM = "\ufeff";

/**
 * @typedef {object} TextFile
 * @property {string} target the file itself, where `file` is a link to it
 * @property {string | undefined} text without the mark; undefined where there is no file
 * @property {boolean} marked
 */

/** @param {string} file @returns {TextFile} */
export function readText(file) {
	const target = ofSystem(file, "read", () => targetOf(file));
	const bytes = ofSystem(file, "read", () => {
		const is = statSync(target, { throwIfNoEntry: false });
		// A pipe would be waited for.
		if (is && !is.isFile() && !is.isDirectory()) throw refused(file, "read", "it is no regular file");
		return is && readFileSync(target);
	});
	if (bytes === undefined) return { target, text: undefined, marked: false };
	try {
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
		return { target, text: text.startsWith(BOM) ? text.slice(1) : text, marked: text.startsWith(BOM) };
	} catch {
		throw new AgentToolsError("FILE_BROKEN", `${file} is not UTF-8`, {
			hint: "Nothing was written. Save it as UTF-8, and run this again.",
		});
	}
}

/**
 * Through a file beside it, so that nobody ever reads half of it; with the rights that it had.
 *
 * @param {TextFile} was as it was when the user was asked
 * @param {string} text
 * @param {{mode?: number, folderMode?: number}} [made] of a new file, and of folders that are not there
 */
export async function writeText(was, text, { mode = 0o644, folderMode } = {}) {
	const { target, marked } = was;
	ofSystem(target, "written", () => mkdirSync(path.dirname(target), { recursive: true, mode: folderMode }));
	await changed(was, async () => {
		const own = was.text === undefined ? undefined : statSync(target).mode & 0o7777;
		const beside = path.join(path.dirname(target), `.${path.basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
		try {
			const handle = await open(beside, "wx", mode);
			try {
				if (own !== undefined) await handle.chmod(own);
				await handle.writeFile((marked ? BOM : "") + text);
				await handle.sync();
			} finally {
				await handle.close();
			}
			renameSync(beside, target);
		} catch (error) {
			rmSync(beside, { force: true });
			throw error;
		}
	});
}

/** @param {TextFile} was as it was when the user was asked */
export async function removeText(was) {
	await changed(was, () => rmSync(was.target));
}

/**
 * For what nobody was asked about: reads and writes once more where another has written in between.
 *
 * @template T
 * @param {() => Promise<T>} work from the reading to the writing
 * @returns {Promise<T>}
 */
export async function untilWritten(work) {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof AgentToolsError) || error.code !== "FILE_CHANGED") throw error;
		}
	}
}

/**
 * @param {TextFile} was
 * @param {() => Promise<void> | void} work
 */
async function changed({ target, text }, work) {
	try {
		await locked(target, async () => {
			if (readText(target).text === text) return work();
			throw new AgentToolsError("FILE_CHANGED", `${target} has changed in the meantime`, {
				hint: "Nothing was written. Run this again to see the new difference.",
			});
		});
	} catch (error) {
		throw failed(target, "written", error);
	}
}

/**
 * What the system refuses is no fault of ours: it is said with the file.
 *
 * @template T
 * @param {string} file
 * @param {"read" | "written"} done
 * @param {() => T} work
 */
export function ofSystem(file, done, work) {
	try {
		return work();
	} catch (error) {
		throw failed(file, done, error);
	}
}

/**
 * @param {string} file
 * @param {"read" | "written"} done
 * @param {unknown} error
 */
function failed(file, done, error) {
	if (!(error instanceof Error) || !("syscall" in error)) return error;
	const { code } = /** @type {NodeJS.ErrnoException} */ (error);
	const why = { EISDIR: "it is a folder", ENOTDIR: "a part of its path is a file", EROFS: "the disk is read-only" };
	const denied = code === "EACCES" || code === "EPERM" ? "you have no right to do so" : error.message;
	const reason = /** @type {Record<string, string>} */ (why)[String(code)] ?? denied;
	return refused(file, done, reason, error);
}

/**
 * @param {string} file
 * @param {"read" | "written"} done
 * @param {string} reason
 * @param {Error} [cause]
 */
function refused(file, done, reason, cause) {
	return new AgentToolsError("FILE_FAILED", `${file} cannot be ${done}: ${reason}`, {
		hint: "Nothing was written. Name another file, or mend this one, and run this again.",
		cause,
	});
}

/** @param {string} file */
function targetOf(file) {
	try {
		return realpathSync(file);
	} catch {
		const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
		return link ? path.resolve(path.dirname(file), readlinkSync(file)) : file;
	}
}

/** @param {string} file */
export function exists(file) {
	return existsSync(file);
}
