import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A lock is held for one writing. One that stays this long was left behind by a process that was killed. */
const STALE_MS = 10_000;
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Works while no other agent-tools writes that file.
 *
 * @template T
 * @param {string} file in a folder that is there
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export async function locked(file, work) {
	const lock = path.join(path.dirname(file), `.${path.basename(file)}.lock`);
	await take(lock);
	const release = () => rmSync(lock, { force: true });
	/** @param {NodeJS.Signals} signal */
	const end = (signal) => {
		release();
		// Where somebody else listens, it ends as that one says.
		if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
	};
	for (const signal of SIGNALS) process.once(signal, end);
	try {
		return await work();
	} finally {
		release();
		for (const signal of SIGNALS) process.off(signal, end);
	}
}

/** @param {string} lock */
async function take(lock) {
	let seen = identityOf(lock);
	let since = performance.now();
	while (!made(lock)) {
		await pause(5 + Math.random() * 20);
		const now = identityOf(lock);
		if (now === undefined || now !== seen) {
			seen = now;
			since = performance.now();
		} else if (performance.now() - since > STALE_MS) {
			takeAway(lock, seen);
		}
	}
}

/** @param {string} lock whether it is ours now */
function made(lock) {
	try {
		closeSync(openSync(lock, "wx", 0o600));
		return true;
	} catch (error) {
		const { code } = /** @type {NodeJS.ErrnoException} */ (error);
		// On Windows, one that is being removed.
		if (code === "EEXIST" || (code === "EPERM" && process.platform === "win32")) return false;
		throw error;
	}
}

/**
 * Several may find the same one left behind: whoever gets hold of a newer one puts it back.
 *
 * @param {string} lock
 * @param {string} stale
 */
function takeAway(lock, stale) {
	const aside = `${lock}.${process.pid}`;
	try {
		renameSync(lock, aside);
		if (identityOf(aside) !== stale) linkSync(aside, lock);
	} catch {
		// Another was faster.
	} finally {
		rmSync(aside, { force: true });
	}
}

/** @param {string} file */
function identityOf(file) {
	const is = statSync(file, { throwIfNoEntry: false });
	return is && `${is.ino} ${is.mtimeMs}`;
}
