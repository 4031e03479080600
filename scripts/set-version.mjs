// Sets the version everywhere: crates, packages and what they need of each other, plugin manifests, lock files, and the
// heading in CHANGELOG.md.
//
//   npm run version:set 1.2.3

import { writeFileSync } from "node:fs";
import path from "node:path";
import { versionMismatches, writeVersion } from "./packages/versions.mjs";
import { ROOT, read } from "./packages/workspace.mjs";
import { withRelease } from "./release/changelog.mjs";

const NUMBER = "(0|[1-9]\\d*)";
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-[a-z]+\\.${NUMBER})?$`);

const [version = "", ...more] = process.argv.slice(2);
try {
	if (!VERSION.test(version) || more.length > 0) {
		throw new Error("a version is needed, like 1.2.3 or 1.2.3-rc.1: npm run version:set 1.2.3");
	}
	// First what may be refused, so that either all is written or nothing.
	const changelog = withRelease(read("CHANGELOG.md"), version, new Date().toISOString().slice(0, 10));
	const faults = versionMismatches();
	if (faults.length > 0) throw new Error(`the versions do not agree as they are:\n  ${faults.join("\n  ")}`);
	writeVersion(version);
	writeFileSync(path.join(ROOT, "CHANGELOG.md"), changelog);
	console.log(`Everything is ${version} now. Read \`git diff\`; docs/releasing.md says what comes next.`);
} catch (error) {
	console.error(`error: ${/** @type {Error} */ (error).message}`);
	process.exitCode = 1;
}
