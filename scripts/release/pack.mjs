// Packs everything that is published into dist/packages. Fails unless the binary of each system is there.

import path from "node:path";
import { stage } from "../packages/stage.mjs";
import { ROOT } from "../packages/workspace.mjs";
import { packAll } from "./tarballs.mjs";

try {
	for (const { file } of packAll(stage({ allPlatforms: true }), path.join(ROOT, "dist/packages"))) console.log(file);
} catch (error) {
	console.error(`error: ${/** @type {Error} */ (error).message}`);
	process.exitCode = 1;
}
