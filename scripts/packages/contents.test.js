import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { contentFaults } from "./contents.mjs";

const MANIFEST = JSON.stringify({
	name: "example",
	version: "1.0.0",
	main: "./index.js",
	files: ["index.js", "lib", "test"],
});
const WHOLE = {
	"package.json": MANIFEST,
	"README.md": "# example",
	LICENSE: "MIT",
	"index.js": 'export * from "./lib/one.js";',
	"lib/one.js": "export const one = 1;",
};

/**
 * @param {import("node:test").TestContext} t
 * @param {Record<string, string | undefined>} changes
 */
function faultsOf(t, changes) {
	const dir = path.join(mkdtempSync(path.join(tmpdir(), "agent-tools-contents-")), "example");
	t.after(() => rmSync(path.dirname(dir), { recursive: true }));
	for (const [file, text] of Object.entries({ ...WHOLE, ...changes })) {
		if (text === undefined) continue;
		mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
		writeFileSync(path.join(dir, file), text);
	}
	return contentFaults(dir);
}

test("a whole package has no faults", (t) => assert.deepEqual(faultsOf(t, {}), []));

for (const [changes, fault] of /** @type {[Record<string, string | undefined>, RegExp][]} */ ([
	[{ "README.md": undefined }, /no file README\.md/],
	[{ "index.js": undefined }, /no file .*index\.js/],
	[{ "lib/one.js": undefined }, /index\.js imports lib\/one\.js/],
	[{ "index.js": 'const one = await import("./lib/two.js");' }, /imports lib\/two\.js/],
	[{ "test/one.test.js": "" }, /stray file test\/one\.test\.js/],
	[{ "lib/core.node.tmp": "" }, /stray file lib\/core\.node\.tmp/],
	[{ "other/more.js": "" }, /npm would not pack other\/more\.js/],
])) {
	test(`found: ${fault.source}`, (t) => {
		const faults = faultsOf(t, changes);
		assert.equal(faults.length, 1, faults.join("\n"));
		assert.match(faults[0] ?? "", fault);
	});
}
