import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { chosenStages } from "./stages.mjs";
import { testFiles } from "./test-files.mjs";

/** @param {string} file */
const isFile = (file) => /\.test\.[cm]?js$/.test(file);

test("each end-to-end test is run by one stage, once", () => {
	const commands = chosenStages(["all"]).flatMap((stage) => stage.tasks().map(({ command }) => command));
	const run = commands
		.flatMap((command) => command.filter(isFile))
		.filter((file) => file.startsWith(path.join("e2e/")));
	assert.deepEqual(run.sort(), testFiles("e2e"));
});

test("no two stages have one name, so that `npm test -- NAME` runs one", () => {
	const names = chosenStages(["all"]).map(({ name }) => name);
	assert.deepEqual(names, [...new Set(names)]);
});
