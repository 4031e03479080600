import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NATIVE = path.join(ROOT, "bindings-node/test/fixtures/fake-native.cjs");

const skip = process.platform === "win32" && "npm is a script there, and signals are none";

/**
 * A copy of what `npm start` needs, so that nothing is installed or built in this clone.
 *
 * @param {import("node:test").TestContext} t
 */
function workspace(t) {
	const root = mkdtempSync(path.join(tmpdir(), "start-"));
	t.after(() => rmSync(root, { recursive: true }));
	for (const name of ["package.json", "package-lock.json", "bindings-node/package.json", "bindings-node/lib"]) {
		cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true });
	}
	for (const name of ["start.mjs", "when-orphaned.mjs"]) {
		cpSync(path.join(ROOT, "scripts", name), path.join(root, "scripts", name));
	}
	mkdirSync(path.join(root, "node_modules"));
	writeFileSync(path.join(root, "node_modules/.package-lock.json"), "{}");
	return root;
}

for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
	test(`npm start serves, and ends with npm, though the signal went to npm alone: ${signal}`, { skip }, async (t) => {
		// In a group of its own, so that nothing is left of it should this fail.
		const npm = spawn("npm", ["start", "--", "--port", "9"], {
			cwd: workspace(t),
			detached: true,
			stdio: ["ignore", "pipe", "pipe"],
			env: { ...process.env, AGENT_TOOLS_NATIVE_PATH: NATIVE },
		});
		t.after(() => {
			try {
				process.kill(-Number(npm.pid), "SIGKILL");
			} catch {}
		});
		let said = "";
		npm.stderr.setEncoding("utf8").on("data", (text) => {
			said += text;
		});
		npm.stdout.resume();
		while (!said.includes("Ctrl-C ends")) await once(npm.stderr, "data");
		assert.doesNotMatch(said, /Building|Installing/);

		npm.kill(signal);
		// Its output ends with the last process that holds it.
		await once(npm, "close");
		assert.match(said, /\[fake\] close\n/);
	});
}
