// Many deletions in one go: shown first, within a limit, a few at a time.

/**
 * @typedef {import("./call.mjs").Options} Options
 * @typedef {{id: string, [key: string]: unknown}} Item
 */

const AT_ONCE = 8;
export const CEILING = 2000;

export const BULK = {
	maxDelete: {
		type: "integer",
		minimum: 1,
		maximum: CEILING,
		description: `How many to delete at most; default: 100, up to ${CEILING}`,
	},
	dryRun: {
		type: "boolean",
		description: "true, the default, only shows what would be deleted; false deletes it",
	},
};

/**
 * @template {Item} T
 * @param {{items: T[], more: boolean}} found no more than may be deleted
 * @param {(item: T) => object} shown what the answer says of an item
 * @param {(item: T) => Promise<unknown>} remove
 * @param {{dryRun?: boolean}} args
 * @param {Options} options
 */
export async function deleteMany({ items, more }, shown, remove, { dryRun = true }, { signal, progress }) {
	const left = more ? { more: "There are more; run it again, or raise maxDelete." } : {};
	if (dryRun) {
		return {
			dryRun,
			count: items.length,
			wouldDelete: items.slice(0, 100).map(shown),
			...(items.length > 100 ? { notShown: items.length - 100 } : {}),
			...left,
			next: items.length > 0 ? "Nothing was deleted. With dryRun: false it is." : "Nothing matches.",
		};
	}
	/** @type {object[]} */
	const deleted = [];
	/** @type {object[]} */
	const failed = [];
	/** @type {string | undefined} */
	let stopped;
	const waiting = [...items];
	const work = async () => {
		for (let item = waiting.shift(); item; item = waiting.shift()) {
			try {
				await remove(item);
				deleted.push(shown(item));
			} catch (error) {
				failed.push({ ...shown(item), error: messageOf(error) });
				if (endsAll(error)) stopped ??= messageOf(error);
			}
			progress?.({ progress: deleted.length + failed.length, total: items.length });
			if (signal?.aborted) stopped ??= "cancelled";
			if (stopped !== undefined) return;
		}
	};
	await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
	return {
		dryRun,
		deletedCount: deleted.length,
		deleted,
		...(failed.length > 0 ? { failed } : {}),
		...(stopped !== undefined ? { stopped, notTried: waiting.length } : {}),
		...left,
	};
}

/**
 * What would be the same for every other item: refused credentials, too many requests, a service in trouble.
 *
 * @param {unknown} error
 */
function endsAll(error) {
	const { status } = /** @type {{status?: number}} */ (Object(error));
	return status === undefined || status === 429 || status >= 500;
}

/** @param {unknown} error */
function messageOf(error) {
	return error instanceof Error ? error.message : String(error);
}
