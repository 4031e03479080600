import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.js";

/** Where the `gh` of the tests is unpacked. Below the build folder, so that it is kept and thrown away with it. */
export const GH_FOLDER = path.join(ROOT, "target/tools/gh");

export const GH_PROGRAM = path.join(GH_FOLDER, "usr/bin/gh");

export function isGhInstalled() {
	return existsSync(GH_PROGRAM);
}

/**
 * Why tests of `gh` are skipped; on CI none is.
 *
 * @returns {string | false}
 */
export function withoutGh() {
	if (process.env.CI || isGhInstalled()) return false;
	return "no gh: node scripts/testing/install-gh.mjs";
}
