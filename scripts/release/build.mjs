// Builds the binary of one system as it is released, into bindings-node/.
//
//   node scripts/release/build.mjs linux-x64-gnu
//
// One for Linux needs `cargo zigbuild`, whose exact version is in zigbuild.txt beside this file:
//
//   python3 -m venv target/zig && target/zig/bin/pip install --require-hashes -r scripts/release/zigbuild.txt
//   PATH="$PWD/target/zig/bin:$PATH" node scripts/release/build.mjs linux-x64-gnu

import { copyFileSync } from "node:fs";
import { buildLibrary } from "../addon-library.mjs";
import { binary } from "../packages/platform-package.mjs";
import { ROOT } from "../packages/workspace.mjs";
import { buildArguments } from "./targets.mjs";

const [triple = ""] = process.argv.slice(2);
try {
	const library = await buildLibrary(buildArguments(triple), { cwd: ROOT });
	if (!library) throw new Error(`the binary for ${triple} could not be built`);
	copyFileSync(library, binary(triple));
	console.log(binary(triple));
} catch (error) {
	console.error(`error: ${/** @type {Error} */ (error).message}`);
	process.exitCode = 1;
}
