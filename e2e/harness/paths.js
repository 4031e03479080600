import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const CLI = path.join(ROOT, "bindings-node/bin/agent-tools-runtime.js");
export const FIXTURES = path.join(ROOT, "e2e/fixtures");

/**
 * A fixture plugin's folder, for the variable AGENT_TOOLS_PLUGINS_DIR.
 *
 * @param {string} name
 */
export function fixturePlugin(name) {
	return path.join(FIXTURES, "plugins", `agent-tools-plugin-${name}`);
}

/**
 * A program of the packages that e2e/package.json pins.
 *
 * @param {string} name
 */
export function installed(name) {
	return path.join(ROOT, "e2e/node_modules/.bin", name);
}
