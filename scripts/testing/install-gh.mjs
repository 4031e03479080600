// Installs GitHub's `gh` for the tests, from Debian or what is made of it. Only fetched and unpacked: the system stays as it is.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { GH_FOLDER, GH_PROGRAM } from "../../e2e/harness/gh-program.js";

for (const program of ["apt-get", "dpkg-deb"]) {
	if (spawnSync(program, ["--version"]).error) {
		console.error(`there is no ${program} to install gh with`);
		process.exit(1);
	}
}
const above = path.dirname(GH_FOLDER);
mkdirSync(above, { recursive: true });
const folder = mkdtempSync(path.join(above, "gh-"));
try {
	execFileSync("apt-get", ["download", "--quiet", "gh"], { cwd: folder, stdio: "inherit" });
	const [archive = ""] = readdirSync(folder);
	const unpacked = path.join(folder, "unpacked");
	execFileSync("dpkg-deb", ["--extract", archive, unpacked], { cwd: folder, stdio: "inherit" });
	rmSync(GH_FOLDER, { recursive: true, force: true });
	renameSync(unpacked, GH_FOLDER);
} finally {
	rmSync(folder, { recursive: true });
}
// Debian keeps one version of each release, so none can be asked for: this one was found.
console.log(execFileSync(GH_PROGRAM, ["--version"], { encoding: "utf8" }).split("\n", 1)[0]);
