// The list of guards is as long as the tables of SECURITY.md, and what it names is there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT } from "../../e2e/harness/paths.js";
import { entries, rows, sections } from "./guards/list.mjs";
import { definition, rustFiles } from "./guards/sources.mjs";
import { replace } from "./guards/switches.mjs";

/** @param {string} file */
const read = (file) => readFileSync(path.join(ROOT, file), "utf8");

test("each threat of SECURITY.md has a guard that can be taken out, or it is said why not", () => {
	const tables = rows();
	assert.deepEqual([...tables.keys()], Object.keys(sections));
	for (const [heading, list] of Object.entries(sections)) {
		const threats = tables.get(heading) ?? [];
		assert.ok(threats.length > 5, heading);
		for (const { threat } of list) {
			const found = threats.filter((row) => row.startsWith(threat));
			assert.equal(found.length, 1, `${heading}: ${found.length} rows begin with "${threat}"`);
		}
		const without = threats.filter((row) => !list.some(({ threat }) => row.startsWith(threat)));
		assert.deepEqual(without, [], `${heading}: add them to scripts/testing/guards/threats`);
	}
});

test("each guard stands where the list says, once", () => {
	for (const entry of entries()) {
		assert.notEqual(entry.take, entry.leave);
		assert.ok(entry.tests.length > 0, entry.threat);
		assert.doesNotThrow(() => replace(read(entry.file), entry, ""), `${entry.file}: ${entry.threat}`);
	}
});

test("each test that is to fail is there", () => {
	const rust = [...rustFiles("runtime/src"), ...rustFiles("runtime/tests")].map(({ text }) => text).join("\n");
	for (const { tests, threat } of entries()) {
		for (const each of tests) {
			if ("rust" in each) {
				const times = rust.split(definition(each.rust)).length - 1;
				assert.ok(times === 1 || (times > 1 && each.rust.includes("::")), `${threat}: ${times} times ${each.rust}`);
			}
			if ("js" in each) assert.ok(read(each.js).includes(each.name), `${threat}: ${each.js}: ${each.name}`);
			if ("js" in each && each.parent) assert.ok(read(each.js).includes(each.parent), `${threat}: ${each.parent}`);
		}
	}
});
