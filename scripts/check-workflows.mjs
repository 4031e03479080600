// Fails where a file in .github/workflows is wrong, or does what we do not allow.

import { readdirSync } from "node:fs";
import { read } from "./packages/workspace.mjs";
import { workflowFaults } from "./release/workflow-faults.mjs";

const FOLDER = ".github/workflows";
for (const name of readdirSync(new URL(`../${FOLDER}`, import.meta.url))) {
	for (const fault of await workflowFaults(name, read(`${FOLDER}/${name}`))) {
		console.error(fault);
		process.exitCode = 1;
	}
}
