// A Python to install test programs with.

import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";

/** The oldest that every package of the requirements supports. */
const OLDEST = "3.11";
const CANDIDATES = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

/** Its name. Without one this process ends. */
export function findPython() {
	const python = CANDIDATES.find(isRecentEnough);
	if (python) return python;
	console.error(`there is no Python ${OLDEST} or newer`);
	return process.exit(1);
}

/**
 * Installs exactly what a file of requirements names, with its hashes.
 *
 * @param {string} python
 * @param {string} requirements
 * @param {...string} options
 */
export function pipInstall(python, requirements, ...options) {
	// Wheels only: a source package would run code of its own to be built. Nothing is resolved: the file names every
	// package, and a newer one that appears in the registry must not change what is installed.
	const flags = "--quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all:".split(" ");
	execFileSync(python, ["-m", "pip", "install", ...flags, ...options, "-r", requirements], { stdio: "inherit" });
}

/** @param {import("../../e2e/harness/python-environment.js").PythonEnvironment} environment */
export function installEnvironment(environment) {
	const python = findPython();
	rmSync(environment.folder, { recursive: true, force: true });
	execFileSync(python, ["-m", "venv", environment.folder], { stdio: "inherit" });
	pipInstall(environment.program("python"), environment.requirements);
	copyFileSync(environment.requirements, environment.stamp);
}

/** @param {string} program */
function isRecentEnough(program) {
	const [major, minor] = OLDEST.split(".");
	const check = `import sys; sys.exit(sys.version_info < (${major}, ${minor}))`;
	try {
		execFileSync(program, ["-c", check], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}
