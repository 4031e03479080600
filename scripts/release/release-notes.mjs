// Prints what CHANGELOG.md says of the version that a tag names, and fails where the tag and the sources disagree.
//
//   node scripts/release/release-notes.mjs v1.2.3

import { versionMismatches } from "../packages/versions.mjs";
import { read, workspaceVersion } from "../packages/workspace.mjs";
import { partOf } from "./changelog.mjs";

const [tag = ""] = process.argv.slice(2);
const version = workspaceVersion();
const notes = partOf(read("CHANGELOG.md"), version);

const faults = [
	...(tag === `v${version}` ? [] : [`the tag is ${tag || "missing"}, but the sources are ${version}`]),
	...(notes ? [] : [`CHANGELOG.md says nothing under "## ${version}"`]),
	...versionMismatches(),
];
if (faults.length > 0) {
	for (const fault of faults) console.error(`error: ${fault}`);
	console.error("hint: Run `npm run version:set X.Y.Z`, commit what it changed, and tag that commit vX.Y.Z.");
	process.exitCode = 1;
} else {
	console.log(notes);
}
