import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { ROOT } from "../harness/paths.js";

// The configuration files that the documentation shows: what they name does not exist here, but every key does.

const COMMAND = path.join(ROOT, "bindings-node/bin/agent-tools-runtime.js");
const NOT_HERE = /has no plugin\.json|is not installed here or above|has no servers configured/;

for (const page of ["README.md", "docs/configuration.md", "docs/isolation.md"]) {
	const blocks = [...readFileSync(path.join(ROOT, page), "utf8").matchAll(/^```jsonc\n(.*?)^```$/gms)];

	test(`${page} shows configuration files without a mistake`, (t) => {
		assert.ok(blocks.length > 0);
		const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-docs-"));
		t.after(() => rmSync(folder, { recursive: true, force: true }));
		for (const [, text] of blocks) {
			const file = path.join(folder, "agent-tools.json");
			writeFileSync(file, text);
			const { stdout } = spawnSync(process.execPath, [COMMAND, "validate", file, "--json"], {
				encoding: "utf8",
				env: { ...process.env, HOME: folder },
			});
			const errors = JSON.parse(stdout).problems.filter((/** @type {{error: boolean}} */ { error }) => error);
			const mistakes = errors.filter((/** @type {{message: string}} */ { message }) => !NOT_HERE.test(message));
			assert.deepEqual(mistakes, [], text);
		}
	});
}
