// Fails where a built binary needs more than the systems have that it is released for.
//
//   node scripts/release/check-binary.mjs linux-x64-gnu          the one in bindings-node/
//   node scripts/release/check-binary.mjs linux-x64-gnu FILE

import { statSync } from "node:fs";
import { binary } from "../packages/platform-package.mjs";
import { glibcOf, needsFaults } from "./base-libraries.mjs";
import { needsOf } from "./binary-needs.mjs";
import { rustTarget } from "./targets.mjs";

const [triple = "", file = binary(triple)] = process.argv.slice(2);
try {
	rustTarget(triple);
	const needs = needsOf(file);
	const glibc = glibcOf(needs);
	console.log(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)`);
	console.log(`needs ${[...needs.libraries, ...(glibc ? [`glibc ${glibc} or newer`] : [])].join(", ")}`);
	for (const fault of needsFaults(triple, needs)) {
		console.error(`error: ${fault}`);
		process.exitCode = 1;
	}
} catch (error) {
	console.error(`error: ${/** @type {Error} */ (error).message}`);
	process.exitCode = 1;
}
