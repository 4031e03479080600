import { call } from "./call.mjs";

/** @typedef {import("./call.mjs").Adapter} Adapter */

const PAGE = 250;
/** Enough for large instances, and an end for a service that never stops giving a next page. */
const MAX_PAGES = 80;

/**
 * Every item of a listing, from page to page, or as many as wanted. `more` is true where it was left before the end.
 *
 * @template T
 * @param {Adapter} adapter
 * @param {string} tool
 * @param {object} [args]
 * @param {{enough?: number, keep?: (item: T) => boolean}} [wanted]
 * @returns {Promise<{items: T[], more: boolean}>}
 */
export async function listAll(adapter, tool, args = {}, { enough = Number.POSITIVE_INFINITY, keep = () => true } = {}) {
	/** @type {T[]} */
	const items = [];
	/** @type {string | null | undefined} */
	let cursor;
	for (let page = 0; page < MAX_PAGES; page++) {
		const asked = { ...args, limit: PAGE, ...(cursor ? { cursor } : {}) };
		/** @type {{data: T[], nextCursor?: string | null}} */
		const answer = await call(adapter, tool, asked);
		items.push(...answer.data.filter(keep));
		cursor = answer.nextCursor;
		if (items.length > enough) return { items: items.slice(0, enough), more: true };
		if (!cursor) return { items, more: false };
		if (items.length === enough) return { items, more: true };
	}
	return { items, more: true };
}

/**
 * One page of what a skill has found, and how to get the next.
 *
 * @template T
 * @param {T[]} found
 * @param {{page?: number, pageSize?: number}} args
 */
export function pageOf(found, { page = 1, pageSize = 50 }) {
	const pages = Math.max(1, Math.ceil(found.length / pageSize));
	const items = found.slice((page - 1) * pageSize, page * pageSize);
	return { items, about: { total: found.length, page, pages, ...(page < pages ? { nextPage: page + 1 } : {}) } };
}

export const PAGING = {
	page: { type: "integer", minimum: 1, description: "Which page; default: 1" },
	pageSize: { type: "integer", minimum: 1, maximum: 200, description: "How many on a page; default: 50" },
};
