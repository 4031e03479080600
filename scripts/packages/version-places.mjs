import { readdirSync } from "node:fs";
import { manifestOf, packageFolders, read } from "./workspace.mjs";

/**
 * @typedef {object} Place a file that says the version
 * @property {string} file
 * @property {RegExp} pattern its group `version` is what must be the workspace's; each match counts
 */

const CRATES = "agent-tools-runtime(?:-node)?";
const EXAMPLE = "integrations/eve/example/package.json";

/**
 * Every place that says the version. Packages that need each other name the exact one: a core and a binding of two
 * versions were never tested together.
 *
 * @returns {Place[]}
 */
export function versionPlaces() {
	const folders = packageFolders();
	const names = folders.map((folder) => manifestOf(folder).name).join("|");
	const own = new RegExp(`^\\t\\t"(?:${names})": "(?<version>.+)"`, "gm");
	const ofManifest = /^\t"version": "(?<version>.+)"/gm;
	const ofLocked = (/** @type {string} */ folder) =>
		new RegExp(`^\\t\\t"${folder}": \\{\\n(?:\\t\\t\\t.*\\n)*?\\t\\t\\t"version": "(?<version>.+)"`, "gm");
	return [
		{ file: "Cargo.toml", pattern: /^\[workspace\.package\]\n(?:[^[].*\n|\n)*?version = "(?<version>.+)"$/gm },
		{ file: "Cargo.toml", pattern: /^agent-tools-runtime = \{.*version = "(?<version>.+?)"/gm },
		...["Cargo.lock", "fuzz/Cargo.lock"].map((file) => ({
			file,
			pattern: new RegExp(`^name = "${CRATES}"\\nversion = "(?<version>.+)"$`, "gm"),
		})),
		...folders.map((folder) => ({ file: `${folder}/package.json`, pattern: ofManifest })),
		...folders.filter(needsOwn(own)).map((folder) => ({ file: `${folder}/package.json`, pattern: own })),
		{ file: EXAMPLE, pattern: own },
		...folders.filter(isPlugin).map((folder) => ({ file: `${folder}/plugin.json`, pattern: ofManifest })),
		...folders.map((folder) => ({ file: "package-lock.json", pattern: ofLocked(folder) })),
		{ file: "package-lock.json", pattern: new RegExp(own.source.replace("\\t\\t", "\\t\\t\\t\\t"), "gm") },
	];
}

/** @param {RegExp} own */
function needsOwn(own) {
	return (/** @type {string} */ folder) => read(`${folder}/package.json`).search(own) >= 0;
}

/** @param {string} folder */
function isPlugin(folder) {
	return readdirSync(new URL(`../../${folder}`, import.meta.url)).includes("plugin.json");
}
