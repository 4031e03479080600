import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../e2e/harness/paths.js";

const CARGO_DENY = "0.20.2";
/** Below the build folder, so that it is kept and thrown away with it. */
const TOOLS = path.join(ROOT, "target/tools");

/**
 * What the project is made of: licences and sources of crates, known faults of crates and packages.
 *
 * @returns {import("./run-task.mjs").Task[]}
 */
export function auditTasks() {
	const deny = path.join(TOOLS, "bin/cargo-deny");
	const install = {
		title: "install cargo-deny",
		command: ["cargo", "install", `cargo-deny@${CARGO_DENY}`, "--locked", "--root", TOOLS],
	};
	return [
		...(existsSync(deny) ? [] : [install]),
		{
			title: "cargo deny",
			command: [deny, "check", "--hide-inclusion-graph", "licenses", "bans", "sources"],
		},
		{
			// By the database that cargo-audit reads, without a second tool to build.
			title: "cargo deny advisories",
			command: [deny, "check", "--hide-inclusion-graph", "advisories"],
			unavailable: (output) => /failed to fetch advisory database.*/.exec(output)?.[0],
		},
		{
			title: "npm audit",
			command: ["npm", "audit", "--audit-level=high"],
			unavailable: (output) => /audit endpoint returned an error/.exec(output)?.[0],
		},
	];
}
