import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT } from "../harness/paths.js";

/** Groups whose cases are still open. */
const LATER = ["L-addon-hosts", "G-facade-server"];

test("every case of the finished groups is tested by its id", () => {
	const tested = new Set(["e2e", "runtime/src", "runtime/tests", "bindings-node/test"].flatMap(idsIn));
	const cases = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
		.split("\n")
		.filter(Boolean);
	const missing = cases
		.map((line) => JSON.parse(line))
		.filter(({ id, group }) => !LATER.includes(group) && !tested.has(id))
		.map(({ id }) => id);
	assert.deepEqual(missing, []);
});

/**
 * The ids that stand where a test is named: `test("C044 …"`, `rawCase("C091"`, `C001:` in a table of checks, `fn c060_`.
 *
 * @param {string} folder
 */
function idsIn(folder) {
	const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter(
		(file) => /\.(js|rs)$/.test(file) && !file.includes("node_modules"),
	);
	return files.flatMap((file) => {
		const text = readFileSync(path.join(ROOT, folder, file), "utf8");
		const names = text.matchAll(/["'`(\s](C\d{3})(?=[\s:"'`,])|fn (c\d{3})_/g);
		return [...names].map(([, id, fn]) => id ?? fn.toUpperCase());
	});
}
