import { isChromiumInstalled } from "../../e2e/harness/chromium-program.js";
import { areClientsInstalled } from "../../e2e/harness/client-programs.js";
import { isGhInstalled } from "../../e2e/harness/gh-program.js";
import { HERMES } from "../../e2e/harness/hermes-program.js";
import { isKiteLiteInstalled } from "../../e2e/harness/kite-lite-program.js";
import { NODE_MAJORS, nodeFolder, onNode } from "../../e2e/harness/node-versions.js";
import { isPocketBaseInstalled } from "../../e2e/harness/pocketbase-program.js";
import { arePythonServersInstalled } from "../../e2e/harness/python-servers.js";
import { auditTasks } from "./audit.mjs";
import { testFiles } from "./test-files.mjs";

/**
 * @typedef {import("./run-task.mjs").Task} Task
 * @typedef {{name: string, optional?: boolean, tasks: () => Task[]}} Stage
 */

/** Pi and eve need it, and what they start inherits it. */
const CLIENTS_NODE = 24;
const WITHOUT_PYTHON = /there is no Python .*/;
const WITHOUT_REGISTRY = /npm error code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT)/;

/** @type {Stage[]} */
const stages = [
	{
		name: "lint",
		tasks: () => [
			{ title: "versions agree", command: ["node", "scripts/check-versions.mjs"] },
			{ title: "workflows", command: ["node", "scripts/check-workflows.mjs"] },
			{ title: "cargo fmt", command: ["cargo", "fmt", "--all", "--check"] },
			// The feature `fuzzing` too: nothing else here compiles the doors of the fuzz targets.
			{
				title: "cargo clippy",
				command: cargo("clippy", "--all-targets", "--all-features", "--", "-D", "warnings"),
			},
			{ title: "biome", command: ["npm", "exec", "--no", "--", "biome", "ci", "--colors=off"] },
			...[".", "integrations/pi-extension", "integrations/eve", "runtime/src/serve/page/web"].map((folder) => ({
				title: `tsc ${folder}`,
				command: ["npm", "exec", "--no", "--", "tsc", "--noEmit", "-p", folder],
			})),
		],
	},
	{ name: "rust", tasks: () => [{ title: "cargo test", command: cargo("test"), tests: true }] },
	{
		name: "retrieval",
		tasks: () => [{ title: "scores of search", command: ["node", "scripts/bench-retrieval.mjs", "--check"] }],
	},
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
		"record",
		"conformance",
		"lifecycle",
		"life",
		"skills",
		"policy",
		"trust",
		"oauth",
		"openapi",
		"secrets",
		"cost",
		"docs",
		"cli",
	].map(endToEnd),
	{
		name: "servers",
		tasks: () => [...pythonServers(), nodeTest(`Node ${CLIENTS_NODE}`, CLIENTS_NODE, ["e2e/servers"])],
	},
	{
		name: "plugins",
		tasks: () => [
			...(isGhInstalled()
				? []
				: [install("gh", "gh", /there is no \S+ to install gh with|Unable to locate package gh/)]),
			...(isPocketBaseInstalled() ? [] : [install("pocketbase", "PocketBase", WITHOUT_PYTHON)]),
			...(isKiteLiteInstalled()
				? []
				: [install("kite-lite", "kite-lite", /there is no cargo .*|failed to download .*/)]),
			nodeTest(`Node ${CLIENTS_NODE}`, CLIENTS_NODE, ["e2e/plugins"]),
		],
	},
	{
		name: "page",
		tasks: () => [
			...(isChromiumInstalled()
				? []
				: [
						install(
							"chromium",
							"Chromium",
							/there is no \S+ to install Chromium with|Unable to locate package chromium/,
						),
					]),
			nodeTest(`Node ${CLIENTS_NODE}`, CLIENTS_NODE, ["e2e/page"]),
		],
	},
	// They speak with the programs that the stage before has installed.
	...["pi", "eve"].map(endToEnd),
	{
		name: "publish",
		// The quick starts are run with the clients that they are for.
		tasks: () => [...realClients(), nodeTest(`Node ${CLIENTS_NODE}`, CLIENTS_NODE, ["e2e/publish"])],
	},
	{
		name: "clients",
		tasks: () => [
			// The Python SDK is installed with the servers that are made with it.
			...pythonServers(),
			...realClients(),
			nodeTest(`Node ${CLIENTS_NODE}`, CLIENTS_NODE, ["e2e/clients"]),
		],
	},
	{ name: "audit", optional: true, tasks: auditTasks },
];

/**
 * @param {string} name
 * @returns {Stage}
 */
function endToEnd(name) {
	return { name, tasks: () => [nodeTest(`Node ${CLIENTS_NODE}`, CLIENTS_NODE, [`e2e/${name}`])] };
}

/** @returns {Task[]} */
function pythonServers() {
	return arePythonServersInstalled() ? [] : [install("python-servers", "the servers in Python", WITHOUT_PYTHON)];
}

/** @returns {Task[]} */
function realClients() {
	return [
		...(HERMES.isInstalled ? [] : [install("hermes", "Hermes", WITHOUT_PYTHON)]),
		...(areClientsInstalled() ? [] : [install("clients", "the clients", WITHOUT_REGISTRY)]),
	];
}

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

/**
 * A developer may do without these programs; then their tests are skipped.
 *
 * @param {string} script
 * @param {string} title
 * @param {RegExp} without what is said where they cannot be had
 * @returns {Task}
 */
function install(script, title, without) {
	return {
		title: `install ${title}`,
		command: ["node", `scripts/testing/install-${script}.mjs`],
		unavailable: (output) => (process.env.CI ? undefined : without.exec(output)?.[0]),
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
