import { statSync } from "node:fs";

/** Anybody may write. */
const OTHERS_WRITE = 0o002;

/**
 * Why somebody else could change a file of the user's, and the command against it.
 *
 * @param {string} file
 * @returns {{why: string, fix: string} | undefined}
 */
export function foreignHand(file) {
	const me = process.getuid?.();
	if (me === undefined) return undefined;
	const { uid, mode } = statSync(file);
	if (uid !== me && uid !== 0) {
		return { why: `it belongs to another user (${uid})`, fix: `sudo chown "$(id -un)" '${file}'` };
	}
	if (mode & OTHERS_WRITE) return { why: "every user of this machine may write it", fix: `chmod o-w '${file}'` };
	return undefined;
}

/**
 * The same for who could read a secret.
 *
 * @param {string} file
 * @returns {{why: string, fix: string} | undefined}
 */
export function readableByOthers(file) {
	if (process.getuid === undefined) return undefined;
	const { mode } = statSync(file);
	if ((mode & 0o077) === 0) return undefined;
	return { why: `others may read it (mode ${(mode & 0o777).toString(8)})`, fix: `chmod 600 '${file}'` };
}
