import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const MAIN_FOLDER = "bindings-node";

/**
 * @typedef {object} Manifest the fields of a package.json that are read here
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {string} [license]
 * @property {unknown} [repository]
 * @property {unknown} [engines]
 * @property {string[]} [files]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** The one place where the version is written by hand: the workspace's Cargo.toml. */
export function workspaceVersion() {
	const version = /^\[workspace\.package\]\n(?:[^[].*\n|\n)*?version = "(.+)"$/m.exec(read("Cargo.toml"))?.[1];
	if (!version) throw new Error("Cargo.toml has no [workspace.package] version");
	return version;
}

/**
 * The folders of packages that are published, the main one first: others depend on it.
 */
export function packageFolders() {
	const below = (/** @type {string} */ folder) =>
		readdirSync(path.join(ROOT, folder), { withFileTypes: true })
			.filter((entry) => entry.isDirectory())
			.map(({ name }) => `${folder}/${name}`)
			.sort();
	return [MAIN_FOLDER, ...below("plugins"), ...below("integrations")].filter((folder) => !manifestOf(folder).private);
}

/**
 * @param {string} folder
 * @returns {Manifest}
 */
export function manifestOf(folder) {
	return JSON.parse(read(`${folder}/package.json`));
}

/** @param {string} file */
export function read(file) {
	return readFileSync(path.join(ROOT, file), "utf8");
}
