// Installs Debian's Chromium for the tests of the page, with what it needs and two fonts. Only fetched and unpacked: the system stays as it is.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CHROMIUM_FOLDER, FONTS_FILE } from "../../e2e/harness/chromium-program.js";

/** What is there already is not fetched. */
const PACKAGES = ["chromium", "fonts-inter", "fonts-dejavu-core", "fontconfig-config"];

for (const program of ["apt-get", "dpkg-deb"]) {
	if (spawnSync(program, ["--version"]).error) {
		console.error(`there is no ${program} to install Chromium with`);
		process.exit(1);
	}
}
const above = path.dirname(CHROMIUM_FOLDER);
mkdirSync(above, { recursive: true });
const folder = mkdtempSync(path.join(above, "chromium-"));
try {
	const archives = path.join(folder, "archives");
	const unpacked = path.join(folder, "unpacked");
	mkdirSync(path.join(archives, "partial"), { recursive: true });
	mkdirSync(unpacked);
	const only = ["--download-only", "--no-install-recommends", "--yes", "--quiet"];
	// Nothing of the system is written, so nobody has to be kept from it.
	const apart = ["-o", "Debug::NoLocking=1", "-o", `Dir::Cache::archives=${archives}`];
	execFileSync("apt-get", ["install", ...only, ...apart, ...PACKAGES], { stdio: "inherit" });
	for (const file of readdirSync(archives).filter((name) => name.endsWith(".deb"))) {
		execFileSync("dpkg-deb", ["--extract", path.join(archives, file), unpacked], { stdio: "inherit" });
	}
	rmSync(CHROMIUM_FOLDER, { recursive: true, force: true });
	renameSync(unpacked, CHROMIUM_FOLDER);
	writeFileSync(FONTS_FILE, fontsFile());
} finally {
	rmSync(folder, { recursive: true });
}

function fontsFile() {
	const alias = (/** @type {string} */ family, /** @type {string} */ font) =>
		`<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
	return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
	<dir>${CHROMIUM_FOLDER}/usr/share/fonts</dir>
	<dir>/usr/share/fonts</dir>
	<cachedir>${CHROMIUM_FOLDER}/fonts-cache</cachedir>
	${alias("system-ui", "Inter")}
	${alias("sans-serif", "Inter")}
	${alias("monospace", "DejaVu Sans Mono")}
</fontconfig>
`;
}
