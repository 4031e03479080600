import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * Whether a server is to go on when its terminal is closed. `nohup` asks for that by having SIGHUP ignored, but Node forgets
 * this at its start. What is left to see is where the output goes: `nohup` puts a file in the place of a terminal. One that
 * goes to a pipe has a reader, which means what it says by a SIGHUP.
 */
export function outlivesTerminal() {
	return [1, 2].every(isFile);
}

/** @param {number} descriptor */
function isFile(descriptor) {
	try {
		const kind = fstatSync(descriptor);
		// `/dev/null` is a device, as a terminal is.
		return kind.isFile() || (kind.isCharacterDevice() && !isatty(descriptor));
	} catch {
		return true;
	}
}
