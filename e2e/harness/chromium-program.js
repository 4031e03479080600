import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.js";

/** Where the Chromium of the tests is unpacked. Below the build folder, so that it is kept and thrown away with it. */
export const CHROMIUM_FOLDER = path.join(ROOT, "target/tools/chromium");

/** What finds the fonts that come with it, so that pictures look the same everywhere. */
export const FONTS_FILE = path.join(CHROMIUM_FOLDER, "fonts.conf");

const LIBRARIES = ["usr/lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu/pulseaudio", "lib/x86_64-linux-gnu"];

/** The program itself: the script that Debian puts before it reads the system's settings. */
const PROGRAM = "usr/lib/chromium/chromium";

export function isChromiumInstalled() {
	return program() !== undefined;
}

/** That of the tests, else that of the system. */
function program() {
	return [path.join(CHROMIUM_FOLDER, PROGRAM), path.join("/", PROGRAM)].find(existsSync);
}

/**
 * Why tests in a browser are skipped; on CI none is.
 *
 * @returns {string | false}
 */
export function withoutChromium() {
	if (process.env.CI || isChromiumInstalled()) return false;
	return "no Chromium: node scripts/testing/install-chromium.mjs";
}

/**
 * How Playwright starts it: alone, without asking anybody for anything.
 *
 * @returns {import("playwright-core").LaunchOptions}
 */
export function launchOptions() {
	const executablePath = program();
	const own = executablePath?.startsWith(CHROMIUM_FOLDER);
	const libraries = LIBRARIES.map((folder) => path.join(CHROMIUM_FOLDER, folder)).join(":");
	return {
		executablePath,
		env: {
			...process.env,
			...(own && { LD_LIBRARY_PATH: libraries }),
			...(existsSync(FONTS_FILE) && { FONTCONFIG_FILE: FONTS_FILE }),
		},
		args: [
			// Its sandbox needs another user than root.
			...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	};
}
