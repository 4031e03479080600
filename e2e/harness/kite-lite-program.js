import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.js";

const VERSION = "0.1.5";

/** kite-lite, and what it runs scripts with, which must lie beside it. */
export const KITE_LITE_CRATES = [`kite-lite@${VERSION}`, `kite-lite-js@${VERSION}`];

/** Below the build folder, so that it is kept and thrown away with it. */
export const KITE_LITE_FOLDER = path.join(ROOT, "target/tools/kite-lite");

export const KITE_LITE_PROGRAM = path.join(
	KITE_LITE_FOLDER,
	"bin",
	process.platform === "win32" ? "kite-lite.exe" : "kite-lite",
);

/** What cargo has installed there, by its own account. */
const INSTALLED = path.join(KITE_LITE_FOLDER, ".crates.toml");

export function isKiteLiteInstalled() {
	const installed = existsSync(INSTALLED) ? readFileSync(INSTALLED, "utf8") : "";
	return KITE_LITE_CRATES.every((crate) => installed.includes(`"${crate.replace("@", " ")} (`));
}

/**
 * Why tests of kite-lite are skipped; on CI none is.
 *
 * @returns {string | false}
 */
export function withoutKiteLite() {
	if (process.env.CI || isKiteLiteInstalled()) return false;
	return "no kite-lite: node scripts/testing/install-kite-lite.mjs";
}
