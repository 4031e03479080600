import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.js";

/** The package that carries PocketBase, with its hashes. */
export const POCKETBASE_REQUIREMENTS = path.join(ROOT, "e2e/plugins/pocketbase.txt");

/** Below the build folder, so that it is kept and thrown away with it. */
export const POCKETBASE_FOLDER = path.join(ROOT, "target/tools/pocketbase");

/** What was installed: a copy of the requirements, written last of all. */
export const POCKETBASE_STAMP = path.join(POCKETBASE_FOLDER, "installed.txt");

export const POCKETBASE_PROGRAM = path.join(
	POCKETBASE_FOLDER,
	"bin",
	process.platform === "win32" ? "pocketbase.exe" : "pocketbase",
);

export function isPocketBaseInstalled() {
	const wanted = readFileSync(POCKETBASE_REQUIREMENTS, "utf8");
	return existsSync(POCKETBASE_STAMP) && readFileSync(POCKETBASE_STAMP, "utf8") === wanted;
}

/**
 * Why tests of PocketBase are skipped; on CI none is.
 *
 * @returns {string | false}
 */
export function withoutPocketBase() {
	if (process.env.CI || isPocketBaseInstalled()) return false;
	return "no PocketBase: node scripts/testing/install-pocketbase.mjs";
}
