// Installs kite-lite for the tests from crates.io, at an exact version and with the dependencies that it was published with.

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { KITE_LITE_CRATES, KITE_LITE_FOLDER } from "../../e2e/harness/kite-lite-program.js";

// Of its own, and the same for both crates, which have nearly everything in common.
const build = path.join(KITE_LITE_FOLDER, "build");
const flags = ["--locked", "--root", KITE_LITE_FOLDER, "--target-dir", build];
// Nobody waits for its pages, but for its compiler.
const profile = { OPT_LEVEL: "1", LTO: "off", CODEGEN_UNITS: "16", DEBUG: "0" };
const quick = Object.fromEntries(
	Object.entries(profile).map(([key, value]) => [`CARGO_PROFILE_RELEASE_${key}`, value]),
);
const { error, status } = spawnSync("cargo", ["install", ...KITE_LITE_CRATES, ...flags], {
	stdio: "inherit",
	env: { ...process.env, ...quick },
});
if (error) {
	console.error(`there is no cargo to install kite-lite with: ${error.message}`);
	process.exit(1);
}
// What was built is kept where it failed, so that the next try goes on from there.
if (status === 0) rmSync(build, { recursive: true, force: true });
process.exit(status ?? 1);
