// `npm test`: installs, builds and checks everything, on a machine that has only Rust and Node.
//
//   npm test                  every stage but `audit`
//   npm test -- pi eve        these stages
//   npm test -- all           every stage
//
// A stage that fails does not hide the others; what failed is shown at the end.

import { prepare } from "./testing/prepare.mjs";
import { report } from "./testing/report.mjs";
import { runTask } from "./testing/run-task.mjs";
import { chosenStages } from "./testing/stages.mjs";

const stages = chosenStages(process.argv.slice(2));

/** @type {import("./testing/report.mjs").Done[]} */
const done = [];

heading("prepare");
for (const result of await prepare()) done.push({ stage: "prepare", ...result });
const prepared = done.every(({ failed }) => failed === 0);

for (const stage of prepared ? stages : []) {
	heading(stage.name);
	for (const task of stage.tasks()) {
		console.log(`\n--- ${task.title}`);
		done.push({ stage: stage.name, ...(await runTask(task, { echo: true })) });
	}
}
if (!prepared) console.log("\nNothing else was run: the preparation failed.");

process.exitCode = report(done);

/** @param {string} name */
function heading(name) {
	console.log(`\n=== ${name} ${"=".repeat(Math.max(0, 70 - name.length))}`);
}
