import { Records } from "../edit/record.js";

export { hashOf } from "../edit/record.js";

/**
 * What init has written into a file, and what stood there before, so that it can be undone.
 *
 * @typedef {object} Written
 * @property {string} client
 * @property {import("./client.js").Scope} scope
 * @property {string} file
 * @property {string | undefined} before the whole file, where it can be put back as it was; undefined where there was none
 * @property {boolean} whole whether `before` is what stood there before anything of init did
 * @property {string} after the hash of what was written
 * @property {import("../edit/edit.js").Edit} [edit] undefined where the file as a whole is init's
 * @property {unknown} [previous]
 * @property {string[]} [made]
 * @property {string[]} [undo] the client's own command that takes it out
 */

/**
 * @param {import("./place.js").Place} place
 * @param {Written} record
 */
export function keep(place, record) {
	return records(place).keep(record.client, record);
}

/**
 * @param {import("./place.js").Place} place
 * @param {Pick<Written, "client" | "file">} which
 */
export function forget(place, { client, file }) {
	records(place).forget(client, file);
}

/**
 * @param {import("./place.js").Place} place
 * @param {string} client
 */
export function recordsOf(place, client) {
	return records(place).of(client);
}

/** @param {import("./place.js").Place} place @returns {Records<Written>} */
function records(place) {
	return new Records(place.inData("init"), "Take the entry out of the client's file yourself, and remove this one.");
}
