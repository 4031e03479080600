import { rmSync } from "node:fs";
import path from "node:path";
import { contentFaults } from "./contents.mjs";
import { platformPackageName, stagedTriples, stagePlatformPackage } from "./platform-package.mjs";
import { stageSourcePackage } from "./source-package.mjs";
import { versionMismatches } from "./versions.mjs";
import { MAIN_FOLDER, manifestOf, packageFolders, ROOT } from "./workspace.mjs";

/**
 * Writes every package as it is published.
 *
 * @param {{out?: string, allPlatforms?: boolean}} [options]
 * @returns {string[]} their folders, in the order to publish them: the binaries first, as a main package whose optional
 *   dependencies do not exist yet installs without any
 */
export function stage({ out = path.join(ROOT, "dist/npm"), allPlatforms = false } = {}) {
	const triples = stagedTriples({ all: allPlatforms });
	const { version } = manifestOf(MAIN_FOLDER);
	const optionalDependencies = Object.fromEntries(triples.map((triple) => [platformPackageName(triple), version]));

	rmSync(out, { recursive: true, force: true });
	const folders = [
		...triples.map((triple) => stagePlatformPackage(triple, out)),
		...packageFolders().map((folder) =>
			stageSourcePackage(folder, out, folder === MAIN_FOLDER ? { optionalDependencies } : {}),
		),
	];

	const faults = [...versionMismatches(), ...folders.flatMap(contentFaults)];
	if (faults.length > 0) throw new Error(`the packages are not fit to be published:\n  ${faults.join("\n  ")}`);
	return folders;
}
