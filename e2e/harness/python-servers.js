import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.js";

/** The exact packages, with their hashes; made from requirements.in, see e2e/README.md. */
export const REQUIREMENTS = path.join(ROOT, "e2e/servers/requirements.txt");

/** Their virtual environment. Below the build folder, so that it is kept and thrown away with it. */
export const PYTHON_FOLDER = path.join(ROOT, "target/tools/python-servers");

/** What was installed: a copy of the requirements, written last of all. */
export const PYTHON_STAMP = path.join(PYTHON_FOLDER, "installed.txt");

/**
 * A program of the virtual environment.
 *
 * @param {string} name
 */
export function pythonProgram(name) {
	return process.platform === "win32"
		? path.join(PYTHON_FOLDER, "Scripts", `${name}.exe`)
		: path.join(PYTHON_FOLDER, "bin", name);
}

export function arePythonServersInstalled() {
	return existsSync(PYTHON_STAMP) && readFileSync(PYTHON_STAMP, "utf8") === readFileSync(REQUIREMENTS, "utf8");
}

/**
 * Why tests of servers in Python are skipped; on CI none is.
 *
 * @returns {string | false}
 */
export function withoutPython() {
	if (process.env.CI || arePythonServersInstalled()) return false;
	return "no Python servers: node scripts/testing/install-python-servers.mjs";
}
