import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./paths.js";

const PLUGINS = path.join(ROOT, "plugins");

/**
 * All plugins of this repository stand beside the package, and are found there. This is the key `plugins` of an
 * agent-tools.json that leaves out all but some.
 *
 * @param {...string} kept their names, without `agent-tools-plugin-`
 */
export function onlyRepositoryPlugins(...kept) {
	return readdirSync(PLUGINS)
		.filter((name) => !kept.includes(name.replace("agent-tools-plugin-", "")))
		.map((name) => ({ path: path.join(PLUGINS, name), enabled: false }));
}

/**
 * The folder of a user who has but the two examples, for tests that say what is shown of everything. With the last
 * process it is gone.
 */
export const EXAMPLES_ONLY = mkdtempSync(path.join(tmpdir(), "agent-tools-user-"));
/** The file in it. */
export const EXAMPLES_ONLY_FILE = path.join(EXAMPLES_ONLY, "agent-tools.json");
writeFileSync(EXAMPLES_ONLY_FILE, JSON.stringify({ plugins: onlyRepositoryPlugins("demo", "everything") }));
process.once("exit", () => rmSync(EXAMPLES_ONLY, { recursive: true, force: true }));
