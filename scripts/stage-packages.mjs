// Writes the npm packages into dist/npm, and prints their folders in the order to publish them.
//
//   node scripts/stage-packages.mjs                   with the binaries that have been built
//   node scripts/stage-packages.mjs --all-platforms   fails unless each system's binary is there

import { parseArgs } from "node:util";
import { stage } from "./packages/stage.mjs";

const { values } = parseArgs({ options: { "all-platforms": { type: "boolean" } } });
try {
	for (const folder of stage({ allPlatforms: values["all-platforms"] })) console.log(folder);
} catch (error) {
	console.error(`error: ${/** @type {Error} */ (error).message}`);
	process.exitCode = 1;
}
