import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/**
 * Where a program is, as a client would find it.
 *
 * @param {string} command
 * @param {{PATH?: string, cwd?: string}} [where]
 * @returns {string | undefined}
 */
export function onPath(command, { PATH = process.env.PATH ?? "", cwd = process.cwd() } = {}) {
	const endings = process.platform === "win32" ? ["", ...(process.env.PATHEXT ?? ".EXE;.CMD").split(";")] : [""];
	const places = /[\\/]/.test(command)
		? [path.resolve(cwd, command)]
		: PATH.split(path.delimiter)
				.filter(Boolean)
				.map((dir) => path.join(dir, command));
	return places.flatMap((place) => endings.map((ending) => place + ending)).find(isProgram);
}

/** @param {string} file */
function isProgram(file) {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
