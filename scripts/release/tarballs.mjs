import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { npm } from "./npm.mjs";

/** @typedef {{name: string, version: string, file: string}} Tarball */

const LIST = "packages.json";

/**
 * Packs staged packages into one folder, with a list of them in the order to publish them.
 *
 * @param {string[]} folders
 * @param {string} out
 * @returns {Tarball[]}
 */
export function packAll(folders, out) {
	rmSync(out, { recursive: true, force: true });
	mkdirSync(out, { recursive: true });
	const tarballs = folders.map((folder) => {
		const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
		const packed = npm(["pack", "--ignore-scripts", `--pack-destination=${out}`], { cwd: folder });
		if (!packed.ok) throw new Error(`npm could not pack ${name}:\n${packed.stderr}`);
		return { name, version, file: /** @type {string} */ (packed.stdout.trim().split("\n").at(-1)) };
	});
	writeFileSync(path.join(out, LIST), `${JSON.stringify(tarballs, null, "\t")}\n`);
	return tarballs;
}

/**
 * @param {string} dir
 * @returns {Tarball[]} their files with the folder
 */
export function packedIn(dir) {
	/** @type {Tarball[]} */
	const tarballs = JSON.parse(readFileSync(path.join(dir, LIST), "utf8"));
	return tarballs.map((tarball) => ({ ...tarball, file: path.resolve(dir, tarball.file) }));
}
