import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Place } from "../../lib/cli/init/place.js";

/**
 * A user who has nothing yet, and no program.
 *
 * @param {import("node:test").TestContext} t
 * @param {NodeJS.ProcessEnv} [env]
 */
export function newUser(t, env = {}) {
	const home = realpathSync(mkdtempSync(path.join(tmpdir(), "agent-tools-init-")));
	t.after(() => rmSync(home, { recursive: true, force: true }));
	const cwd = path.join(home, "work");
	mkdirSync(cwd);
	return new Place({
		platform: process.platform === "win32" ? "win32" : "linux",
		home,
		cwd,
		env: { PATH: "", ...env },
	});
}
