import { writeFileSync } from "node:fs";
import path from "node:path";
import { versionPlaces } from "./version-places.mjs";
import { ROOT, read, workspaceVersion } from "./workspace.mjs";

/**
 * Where a version differs from the workspace's, one line each.
 *
 * @returns {string[]}
 */
export function versionMismatches() {
	const version = workspaceVersion();
	return versionPlaces().flatMap(({ file, pattern }) => {
		const text = read(file);
		const found = [...text.matchAll(pattern)];
		// A place that is not found could not be set either.
		if (found.length === 0) return [`${file}: nothing there looks like ${pattern.source}`];
		return found
			.filter(({ groups }) => groups?.version !== version)
			.map((match) => `${file}:${lineOfEnd(text, match)}: ${match.groups?.version}, but the workspace is ${version}`);
	});
}

/**
 * Writes the version to every place.
 *
 * @param {string} version
 */
export function writeVersion(version) {
	for (const { file, pattern } of versionPlaces()) {
		const text = read(file).replaceAll(pattern, (match, ...rest) => {
			const { version: old } = rest.at(-1);
			const start = match.lastIndexOf(`"${old}"`);
			return `${match.slice(0, start)}"${version}"${match.slice(start + old.length + 2)}`;
		});
		writeFileSync(path.join(ROOT, file), text);
	}
}

/**
 * @param {string} text
 * @param {RegExpExecArray} match
 */
function lineOfEnd(text, match) {
	return text.slice(0, match.index + match[0].length).split("\n").length;
}
