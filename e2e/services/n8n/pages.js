import { Refusal } from "./refusal.js";

/**
 * @param {any[]} items
 * @param {Record<string, string>} query
 */
export function offsetPage(items, query) {
	const { limit, offset = 0 } = asked(query);
	const more = items.length > offset + limit;
	return {
		data: items.slice(offset, offset + limit),
		nextCursor: more ? encoded({ limit, offset: offset + limit }) : null,
	};
}

/**
 * @param {{id: string}[]} items the newest first
 * @param {Record<string, string>} query
 */
export function idPage(items, query) {
	const { limit, lastId = Number.POSITIVE_INFINITY } = asked(query);
	const older = items.filter(({ id }) => Number(id) < lastId);
	const data = older.slice(0, limit);
	return { data, nextCursor: older.length > limit ? encoded({ lastId: Number(data.at(-1)?.id), limit }) : null };
}

/** @param {Record<string, string>} query */
function asked({ limit = "100", cursor }) {
	const wanted = Number(limit);
	if (!Number.isInteger(wanted) || wanted < 1 || wanted > 250)
		throw new Refusal(400, "request/query/limit must be <= 250");
	if (cursor === undefined) return { limit: wanted };
	try {
		return JSON.parse(Buffer.from(cursor, "base64").toString());
	} catch {
		throw new Refusal(400, "An invalid cursor was provided");
	}
}

/** @param {object} value */
function encoded(value) {
	return Buffer.from(JSON.stringify(value)).toString("base64");
}
