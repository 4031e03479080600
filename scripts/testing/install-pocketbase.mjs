// Installs PocketBase for the tests, from the package that carries its program, at an exact version and with its hash checked.

import { copyFileSync, rmSync } from "node:fs";
import { POCKETBASE_FOLDER, POCKETBASE_REQUIREMENTS, POCKETBASE_STAMP } from "../../e2e/harness/pocketbase-program.js";
import { findPython, pipInstall } from "./python.mjs";

rmSync(POCKETBASE_FOLDER, { recursive: true, force: true });
pipInstall(findPython(), POCKETBASE_REQUIREMENTS, "--target", POCKETBASE_FOLDER);
copyFileSync(POCKETBASE_REQUIREMENTS, POCKETBASE_STAMP);
