import { setTimeout as sleep } from "node:timers/promises";

const LIMIT_MS = 30_000;

/**
 * What `find` finds, as soon as it finds something.
 *
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} find
 * @param {number} [ms]
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, find, ms = LIMIT_MS) {
	for (const end = Date.now() + ms; ; await sleep(20)) {
		const found = await find();
		if (found) return found;
		if (Date.now() > end) throw new Error(`no ${what} within ${ms} ms`);
	}
}
