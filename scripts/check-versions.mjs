// Fails when a version differs from the one in the root Cargo.toml.

import { versionMismatches } from "./packages/versions.mjs";

const wrong = versionMismatches();
for (const line of wrong) console.error(line);
process.exitCode = wrong.length > 0 ? 1 : 0;
