// Installs the packed packages in an empty folder, before any of them is published, and uses them on this system and this
// Node. What they need of others comes from the registry.
//
//   node scripts/release/try-packages.mjs dist/packages

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { triple } from "../../bindings-node/lib/platform.js";
import { npm } from "./npm.mjs";
import { packedIn } from "./tarballs.mjs";

const MAIN = "@rckflr/agent-tools-runtime";
const DEMO = "agent-tools-plugin-demo";

const PROGRAM = `
import { Runtime } from "${MAIN}";
const runtime = await Runtime.open();
// A plugin of a project is not believed that its tool only reads.
const list = { toolName: "list_issues", arguments: {}, confirm: true };
const { isError, content } = await runtime.callTool("agent_tools_demo_call", list);
await runtime.close();
if (isError) throw new Error(JSON.stringify(content));
console.log("called");
`;

const tarballs = packedIn(process.argv[2] ?? "dist/packages");
const dir = mkdtempSync(path.join(tmpdir(), "agent-tools-try-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));

writeFileSync(path.join(dir, "package.json"), JSON.stringify({ private: true, type: "module" }));
writeFileSync(path.join(dir, "main.js"), PROGRAM);
const files = [`${MAIN}-${triple()}`, MAIN, DEMO].map(tarballOf);
const installed = npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...files], { cwd: dir });
assert.ok(installed.ok, installed.stderr);

const command = path.join("node_modules", MAIN, "bin/agent-tools-runtime.js");
const [main] = tarballs.filter(({ name }) => name === MAIN);
assert.equal(node(command, "--version").trim(), `agent-tools-runtime ${main?.version}`);
assert.match(node(command, "list"), /^demo +ready/m);
assert.equal(node("main.js").trim(), "called");
console.log(`${triple()} on Node ${process.versions.node}: installed, listed and called`);

/** @param {string} name */
function tarballOf(name) {
	const tarball = tarballs.find((one) => one.name === name);
	assert.ok(tarball, `${name} is not among the packed packages`);
	return tarball.file;
}

/** @param {...string} args */
function node(...args) {
	const state = Object.fromEntries(
		["CACHE", "DATA", "STATE"].map((kind) => [`AGENT_TOOLS_${kind}_DIR`, path.join(dir, kind)]),
	);
	const { status, stdout, stderr } = spawnSync(process.execPath, args, {
		cwd: dir,
		encoding: "utf8",
		env: { ...process.env, ...state },
	});
	assert.equal(status, 0, stderr);
	return stdout;
}
