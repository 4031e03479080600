// `npm run guards`: takes each guard of SECURITY.md out of a copy of the sources, and shows that its tests fail then.
//
//   npm run guards                  all of them
//   npm run guards -- trust/gate    those with that in the threat, the file, the number or a test's name
//
// The list is in scripts/testing/guards/threats.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "./testing/guards/build.mjs";
import { COPY, copyTree } from "./testing/guards/copy.mjs";
import { entries } from "./testing/guards/list.mjs";
import { testTargets } from "./testing/guards/sources.mjs";
import { replace, takeOut, withSwitches } from "./testing/guards/switches.mjs";
import { commands, nameOf, passes } from "./testing/guards/tests.mjs";

/** @typedef {import("./testing/guards/list.mjs").Entry} Entry */

const all = entries();
const words = process.argv.slice(2);
const chosen = all.filter((entry) => {
	const text = [entry.id, entry.threat, entry.file, ...entry.tests.map(nameOf)].join("\n").toLowerCase();
	return words.every((word) => text.includes(word.toLowerCase()));
});
if (chosen.length === 0) {
	console.error(`no guard fits ${words.join(" ")}`);
	process.exit(2);
}

copyTree((file, text) => (file.endsWith(".rs") ? withSwitches(file, text, all) : text));
takeOut("");
const command = commands(await build(testTargets(all)));

/** @type {string[]} */
const wrong = [];

const tests = new Map(chosen.flatMap((entry) => entry.tests).map((test) => [nameOf(test), test]));
console.log(`\n=== ${tests.size} tests, with every guard in its place`);
for (const [name, test] of tests) {
	const { passed, output } = await passes(test, command(test));
	if (passed) continue;
	console.log(`${output}\nFAILED  ${name}`);
	wrong.push(`fails with its guard: ${name}`);
}

console.log(`\n=== ${chosen.length} guards, taken out one by one`);
for (const entry of chosen) {
	console.log(`${entry.id}  ${entry.file}: ${line(entry.take)}\n        ${entry.threat}`);
	await without(entry, async () => {
		for (const test of entry.tests) {
			const { passed } = await passes(test, command(test));
			console.log(`    ${passed ? "STAYS GREEN" : "fails      "}  ${nameOf(test)}`);
			if (passed) wrong.push(`stays green without ${entry.id} (${entry.file}: ${line(entry.take)}): ${nameOf(test)}`);
		}
	});
}

console.log(
	`\n=== summary\n${wrong.join("\n")}${wrong.length ? "\n" : ""}${chosen.length} guards, ${wrong.length} faults`,
);
process.exitCode = wrong.length ? 1 : 0;

/**
 * @param {Entry} entry
 * @param {() => Promise<void>} run
 */
async function without(entry, run) {
	if (entry.file.endsWith(".rs")) {
		takeOut(entry.id);
		await run();
		takeOut("");
		return;
	}
	const file = path.join(COPY, entry.file);
	const text = readFileSync(file, "utf8");
	// Files beside the sources of Rust are part of the program.
	const rebuild = async () => entry.file.startsWith("runtime/src/") && build(testTargets(all));
	writeFileSync(file, replace(text, entry, entry.leave ?? ""));
	await rebuild();
	await run();
	writeFileSync(file, text);
	await rebuild();
}

/** @param {string} text */
function line(text) {
	const flat = text.replace(/\s+/g, " ");
	return flat.length > 80 ? `${flat.slice(0, 79)}…` : flat;
}
