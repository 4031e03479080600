import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.js";

/** The exact packages, with their hashes. */
export const CLIENTS_MANIFEST = path.join(ROOT, "e2e/clients/package.json");
export const CLIENTS_LOCK = path.join(ROOT, "e2e/clients/package-lock.json");

/** Below the build folder, so that it is kept and thrown away with it. */
export const CLIENTS_FOLDER = path.join(ROOT, "target/tools/clients");

/** What was installed: a copy of the lock file, written last of all. */
export const CLIENTS_STAMP = path.join(CLIENTS_FOLDER, "installed.json");

/** @param {string} file a path in the folder of these packages */
export function clientFile(file) {
	return path.join(CLIENTS_FOLDER, "node_modules", file);
}

export function areClientsInstalled() {
	return existsSync(CLIENTS_STAMP) && readFileSync(CLIENTS_STAMP, "utf8") === readFileSync(CLIENTS_LOCK, "utf8");
}

/**
 * Why tests of these clients are skipped; on CI none is.
 *
 * @returns {string | false}
 */
export function withoutClients() {
	if (process.env.CI || areClientsInstalled()) return false;
	return "no clients: node scripts/testing/install-clients.mjs";
}

/**
 * The same for a client whose program comes in a package for each platform.
 *
 * @param {string} name of its package
 * @returns {string | false}
 */
export function withoutProgram(name) {
	const platform = `${process.platform}-${process.arch}`;
	if (!areClientsInstalled() || existsSync(clientFile(`${name}-${platform}`))) return withoutClients();
	return `${name} has no program for ${platform}`;
}
