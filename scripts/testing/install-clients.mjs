// Installs the MCP clients of e2e/clients/package.json, each package at an exact version and with its hash checked.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { CLIENTS_FOLDER, CLIENTS_LOCK, CLIENTS_MANIFEST, CLIENTS_STAMP } from "../../e2e/harness/client-programs.js";

rmSync(CLIENTS_FOLDER, { recursive: true, force: true });
mkdirSync(CLIENTS_FOLDER, { recursive: true });
for (const file of [CLIENTS_MANIFEST, CLIENTS_LOCK]) {
	copyFileSync(file, path.join(CLIENTS_FOLDER, path.basename(file)));
}
// No package there needs a script of its own to work; and what pi-mcp-adapter shares with Pi, Pi gives it.
const flags = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
execFileSync("npm", ["ci", ...flags], {
	cwd: CLIENTS_FOLDER,
	stdio: "inherit",
	shell: process.platform === "win32",
});
copyFileSync(CLIENTS_LOCK, CLIENTS_STAMP);
