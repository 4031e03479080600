import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";

/**
 * @typedef {object} Needs what must be there for a binary to be loaded
 * @property {string[]} libraries
 * @property {string[]} versions of the symbols of libraries, like GLIBC_2.17
 */

/**
 * Reads what a binary needs, with the tool that every system has on which such a binary is linked. Each reads the
 * binaries of all processors; objdump of Linux reads those of Windows.
 *
 * @param {string} file
 * @returns {Needs}
 */
export function needsOf(file) {
	const needs = read(file);
	if (needs.libraries.length === 0) throw new Error(`${file} needs no library at all, which cannot be`);
	return needs;
}

/**
 * @param {string} file
 * @returns {Needs}
 */
function read(file) {
	const magic = firstBytes(file);
	if (magic === "7f454c46") return fromReadelf(run("readelf", "--wide", "--dynamic", "--version-info", file));
	if (magic === "cffaedfe") return fromOtool(run("otool", "-L", file), run("otool", "-D", file));
	if (magic.startsWith("4d5a")) return fromObjdump(run("objdump", "-p", file));
	throw new Error(`${file} is no binary of Linux, macOS or Windows`);
}

/**
 * @param {string} output
 * @returns {Needs}
 */
export function fromReadelf(output) {
	const [, needed = ""] = output.split(/^Version needs section /m);
	return {
		libraries: all(output, /\(NEEDED\)\s+Shared library: \[(.+)\]/g),
		versions: all(needed, /\bName: (\S+)/g),
	};
}

/**
 * @param {string} output
 * @param {string} ownName the library's own, which stands among the others
 * @returns {Needs}
 */
export function fromOtool(output, ownName) {
	const own = ownName.trim().split("\n").at(-1);
	return { libraries: all(output, /^\t(.+) \(compatibility version/gm).filter((name) => name !== own), versions: [] };
}

/**
 * @param {string} output
 * @returns {Needs}
 */
export function fromObjdump(output) {
	return { libraries: all(output, /DLL Name: (\S+)/g), versions: [] };
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
function all(text, pattern) {
	return [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name))];
}

/** @param {string} file */
function firstBytes(file) {
	const handle = openSync(file, "r");
	try {
		const bytes = Buffer.alloc(4);
		readSync(handle, bytes);
		return bytes.toString("hex");
	} finally {
		closeSync(handle);
	}
}

/**
 * @param {string} tool
 * @param {...string} args
 */
function run(tool, ...args) {
	try {
		const env = { ...process.env, LC_ALL: "C" };
		return execFileSync(tool, args, { encoding: "utf8", env, maxBuffer: 64 * 1024 * 1024 });
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
		throw new Error(
			`${tool} is needed to read ${args.at(-1)}; it comes with the system's C compiler (binutils, Xcode)`,
		);
	}
}
