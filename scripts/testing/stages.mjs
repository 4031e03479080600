import { NODE_MAJORS, nodeFolder, onNode } from "../../e2e/harness/node-versions.js";
import { arePythonServersInstalled } from "../../e2e/harness/python-servers.js";
import { auditTasks } from "./audit.mjs";
import { testFiles } from "./test-files.mjs";

/**
 * @typedef {import("./run-task.mjs").Task} Task
 * @typedef {{name: string, optional?: boolean, tasks: () => Task[]}} Stage
 */

/** Pi and eve need it, and what they start inherits it. */
const CLIENTS_NODE = 24;

/** @type {Stage[]} */
const stages = [
	{
		name: "lint",
		tasks: () => [
			{ title: "versions agree", command: ["node", "scripts/check-versions.mjs"] },
			{ title: "cargo fmt", command: ["cargo", "fmt", "--all", "--check"] },
			{ title: "cargo clippy", command: cargo("clippy", "--all-targets", "--", "-D", "warnings") },
			{ title: "biome", command: ["npm", "exec", "--no", "--", "biome", "ci", "--colors=off"] },
			...[".", "integrations/pi-extension", "integrations/eve"].map((folder) => ({
				title: `tsc ${folder}`,
				command: ["npm", "exec", "--no", "--", "tsc", "--noEmit", "-p", folder],
			})),
		],
	},
	{ name: "rust", tasks: () => [{ title: "cargo test", command: cargo("test"), tests: true }] },
	{
		name: "js",
		tasks: () =>
			NODE_MAJORS.map((major) =>
				nodeTest(`Node ${major}`, major, ["bindings-node", "integrations", "plugins", "scripts", "bench"]),
			),
	},
	...[
		"parity",
		"cases",
		"load",
		"http",
		"conformance",
		"lifecycle",
		"life",
		"oauth",
		"openapi",
		"docs",
		"pi",
		"eve",
		"publish",
	].map((name) => ({
		name,
		tasks: () => [nodeTest(`Node ${CLIENTS_NODE}`, CLIENTS_NODE, [`e2e/${name}`])],
	})),
	{
		name: "servers",
		tasks: () => [
			...(arePythonServersInstalled() ? [] : [installPythonServers()]),
			nodeTest(`Node ${CLIENTS_NODE}`, CLIENTS_NODE, ["e2e/servers"]),
		],
	},
	{ name: "audit", optional: true, tasks: auditTasks },
];

/**
 * @param {string[]} names
 * @returns {Stage[]}
 */
export function chosenStages(names) {
	if (names.length === 0) return stages.filter(({ optional }) => !optional);
	if (names.includes("all")) return stages;
	const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
	if (unknown.length > 0) {
		const known = stages.map(({ name }) => name).join(", ");
		console.error(`unknown stage ${unknown.join(", ")}; there are: ${known}, all`);
		process.exit(2);
	}
	return stages.filter(({ name }) => names.includes(name));
}

/**
 * @param {string} command
 * @param {...string} args
 */
function cargo(command, ...args) {
	return ["cargo", command, "--workspace", "--locked", ...args];
}

/** @returns {Task} */
function installPythonServers() {
	return {
		title: "install the servers in Python",
		command: ["node", "scripts/testing/install-python-servers.mjs"],
		// A developer may do without; then the tests of these servers are skipped.
		unavailable: (output) => (process.env.CI ? undefined : /there is no Python .*/.exec(output)?.[0]),
	};
}

/**
 * @param {string} title
 * @param {number} major
 * @param {string[]} folders
 * @returns {Task}
 */
function nodeTest(title, major, folders) {
	// Servers and clients of one file already use both cores.
	const flags = ["--test", "--test-concurrency=1", "--test-reporter=spec"];
	const command = ["node", ...flags, ...folders.flatMap(testFiles)];
	if (nodeFolder(major)) return { title, command, env: onNode(major), tests: true };
	const missing = `Node ${major} is pinned for Linux on x64 only; run it with a Node ${major} of this system`;
	return { title, command: process.env.CI ? ["false", missing] : command, skip: process.env.CI ? undefined : missing };
}
