import path from "node:path";
import { Records } from "../edit/record.js";
import { folder } from "../places.js";

/**
 * What `add` has written, so that `remove` can give the file back as it was.
 *
 * @typedef {object} Added
 * @property {string} file
 * @property {string | undefined} before the whole file; undefined where there was none
 * @property {string} after the hash of what was written
 */

/** @returns {Records<Added>} */
export function addedRecords() {
	return new Records(path.join(folder("data"), "add"), "Remove this file, and run the command again.");
}
