import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { triple } from "../../bindings-node/lib/platform.js";
import { contentFaults, isPublishedKind } from "./contents.mjs";
import { binary, stagePlatformPackage } from "./platform-package.mjs";
import { packedFiles } from "./source-package.mjs";
import { packageFolders, ROOT } from "./workspace.mjs";

for (const folder of packageFolders()) {
	test(`${folder}: every file that git knows and that is no test is packed, and none else`, () => {
		const known = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
			cwd: path.join(ROOT, folder),
			encoding: "utf8",
		});
		const expected = known.split("\n").filter(isPublishedKind).sort();
		assert.ok(expected.includes("package.json"));
		assert.deepEqual(packedFiles(folder).sort(), expected);
	});
}

test("the package of a binary holds that, and what says what it is", (t) => {
	const out = mkdtempSync(path.join(tmpdir(), "agent-tools-platform-"));
	t.after(() => rmSync(out, { recursive: true }));
	const dir = stagePlatformPackage(triple(), out);
	const addon = path.basename(binary(triple()));
	assert.deepEqual(readdirSync(dir).sort(), ["LICENSE", "README.md", addon, "package.json"].sort());
	// Nor would npm leave one of them out.
	assert.deepEqual(contentFaults(dir), []);
	const { main, scripts, os, cpu } = JSON.parse(readFileSync(path.join(dir, "package.json"), "utf8"));
	assert.deepEqual(
		{ main, scripts, os, cpu },
		{ main: addon, scripts: undefined, os: [process.platform], cpu: [process.arch] },
	);
});
