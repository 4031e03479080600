import { accessSync, constants, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { folder } from "../places.js";
import { checksOf } from "./check.js";
import { hasProc, openFiles, programOf, read, stateOf } from "./processes.js";

const { ok, warning, error } = checksOf("Locks");

/** Who works holds one for less: see `LOCK_LIMIT` and `LOCK_WAIT` in the core. */
const BRIEFLY_MS = 1000;
/** Renewing a token waits for a server. */
const LOGIN = `${path.sep}logins${path.sep}`;

/**
 * A lock ends with the process that holds it, so that a file alone is none. In the way are one that a stopped process holds,
 * and a file that cannot be opened.
 *
 * @param {string} [auditDir] where the call log is
 */
export async function lockChecks(auditDir) {
	const files = lockFiles(auditDir);
	const unusable = files.flatMap((file) => unusableFile(file));
	const held = await heldLonger(files);
	const checks = [...unusable, ...held];
	return checks.length > 0 ? checks : [ok("locks.held", `no lock is in the way (${files.length} looked at)`)];
}

/** @param {string} [auditDir] */
function lockFiles(auditDir = process.env.AGENT_TOOLS_AUDIT_DIR || path.join(folder("state"), "audit")) {
	const data = folder("data");
	return [
		...named(path.join(data, "trust"), (name) => name.endsWith(".lock")),
		...named(path.join(data, "logins"), (name) => name.endsWith(".lock")),
		...named(data, (name) => name.endsWith(".lock")),
		...named(auditDir, (name) => name === "lock"),
	];
}

/**
 * @param {string} dir
 * @param {(name: string) => boolean} wanted
 */
function named(dir, wanted) {
	try {
		return readdirSync(dir)
			.filter(wanted)
			.map((name) => path.join(dir, name));
	} catch {
		return [];
	}
}

/** @param {string} file */
function unusableFile(file) {
	const aside = `mv '${file}' '${file}.old'`;
	try {
		if (!statSync(file).isFile())
			return [error("locks.file", `${file} is no file, and stands in a lock's place`, aside)];
		accessSync(file, constants.R_OK | constants.W_OK);
		return [];
	} catch {
		return [error("locks.file", `you may not write the lock ${file}`, `sudo chown "$(id -un)" '${file}'`)];
	}
}

/** @param {string[]} files */
async function heldLonger(files) {
	if (!hasProc || files.length === 0) return [];
	const first = holders(files);
	if (first.length === 0) return [];
	await sleep(BRIEFLY_MS);
	const still = holders(files).filter(({ file, pid }) => first.some((was) => was.file === file && was.pid === pid));
	return still.flatMap(({ file, pid }) => {
		const who = `process ${pid} (${programOf(pid)})`;
		if (stateOf(pid) === "T") {
			const fix = `kill -CONT ${pid} lets it go on, kill -9 ${pid} ends it`;
			return [error("locks.held", `${file} is held by ${who}, which is stopped`, fix)];
		}
		if (file.includes(LOGIN)) return [];
		return [warning("locks.held", `${file} is held by ${who} for longer than a second`, `kill ${pid}`)];
	});
}

/**
 * @param {string[]} files
 * @returns {{file: string, pid: number}[]}
 */
function holders(files) {
	const locks = [...read("/proc/locks").matchAll(/^\d+: +\w+ +\w+ +\w+ +(\d+) [\da-f]+:[\da-f]+:(\d+) /gm)];
	return files.flatMap((file) => {
		const inode = String(statSync(file, { throwIfNoEntry: false })?.ino);
		// Numbers repeat from disk to disk: who holds it has it open.
		const own = locks.filter(([, pid, number]) => number === inode && openFiles(Number(pid)).includes(file));
		return own.map(([, pid]) => ({ file, pid: Number(pid) }));
	});
}
