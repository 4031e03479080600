// Installs the MCP servers that are written in Python, each package at an exact version and with its hash checked.

import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { PYTHON_FOLDER, PYTHON_STAMP, pythonProgram, REQUIREMENTS } from "../../e2e/harness/python-servers.js";
import { findPython, pipInstall } from "./python.mjs";

const python = findPython();
rmSync(PYTHON_FOLDER, { recursive: true, force: true });
execFileSync(python, ["-m", "venv", PYTHON_FOLDER], { stdio: "inherit" });
pipInstall(pythonProgram("python"), REQUIREMENTS);
copyFileSync(REQUIREMENTS, PYTHON_STAMP);
