// Installs the MCP servers that are written in Python, each package at an exact version and with its hash checked.

import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { PYTHON_FOLDER, PYTHON_STAMP, pythonProgram, REQUIREMENTS } from "../../e2e/harness/python-servers.js";

/** The oldest that every package of the requirements supports. */
const OLDEST = "3.11";
const CANDIDATES = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

const python = CANDIDATES.find(isRecentEnough);
if (!python) {
	console.error(`there is no Python ${OLDEST} or newer`);
	process.exit(1);
}
rmSync(PYTHON_FOLDER, { recursive: true, force: true });
execFileSync(python, ["-m", "venv", PYTHON_FOLDER], { stdio: "inherit" });
execFileSync(
	pythonProgram("python"),
	// Wheels only: a source package would run code of its own to be built.
	[
		..."-m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r".split(" "),
		REQUIREMENTS,
	],
	{ stdio: "inherit" },
);
copyFileSync(REQUIREMENTS, PYTHON_STAMP);

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
