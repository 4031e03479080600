import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { TRIPLES } from "../../bindings-node/lib/platform.js";
import { NODE_MAJORS } from "../../e2e/harness/node-versions.js";
import { read } from "../packages/workspace.mjs";
import { buildArguments, GLIBC_FLOOR, rustTarget } from "./targets.mjs";
import { workflowFaults } from "./workflow-faults.mjs";

const RELEASE = read(".github/workflows/release.yml");
const { jobs } = parse(RELEASE);
const platforms = (/** @type {{platform: string}[]} */ rows) => rows.map(({ platform }) => platform).sort();
const expression = (/** @type {string} */ text) => `$\{{ ${text} }}`;
const ALL = [...TRIPLES].sort();

test("the release builds and tries exactly the systems that the package looks for", () => {
	assert.deepEqual(platforms(jobs.build.strategy.matrix.include), ALL);
	assert.deepEqual([...jobs.try.strategy.matrix.platform].sort(), ALL);
	assert.deepEqual(platforms(jobs.try.strategy.matrix.include), ALL);
	assert.deepEqual(jobs.try.strategy.matrix.node, NODE_MAJORS);
	assert.equal(new Set(TRIPLES.map(rustTarget)).size, TRIPLES.length);
	assert.throws(() => rustTarget("linux-ia32-gnu"), /no binary is released for linux-ia32-gnu/);
});

test("the glibc that is linked for is the one that is checked and documented", () => {
	assert.deepEqual(buildArguments("linux-arm64-gnu").at(-1), `aarch64-unknown-linux-gnu.${GLIBC_FLOOR}`);
	assert.deepEqual(buildArguments("linux-x64-musl").at(-1), "x86_64-unknown-linux-musl");
	assert.match(read("docs/releasing.md"), new RegExp(`glibc ${GLIBC_FLOOR.replace(".", "\\.")}\\b`));
});

test("only the job that publishes has a token for npm, and only the one of the release writes here", () => {
	const may = (/** @type {string} */ key) => Object.keys(jobs).filter((id) => jobs[id].permissions[key] === "write");
	assert.deepEqual(may("id-token"), ["publish"]);
	assert.deepEqual(may("contents"), ["github-release"]);
	assert.deepEqual(
		Object.keys(jobs).filter((id) => JSON.stringify(jobs[id]).includes("secrets.")),
		["publish"],
	);
	assert.deepEqual(jobs.publish.needs, ["ci", "tag", "try"]);
});

for (const [fault, from, to] of /** @type {[RegExp, string, string][]} */ ([
	[/line \d+: .*unknown job 'bild'/, "needs: build", "needs: bild"],
	[
		/line \d+: Context access might be invalid: platfrm/,
		`name: build ${expression("matrix.platform")}`,
		`name: ${expression("matrix.platfrm")}`,
	],
	[/line \d+: Unexpected value 'step'/, "    steps:\n", "    step:\n"],
	[/an expression in `run`/, '"$GITHUB_REF_NAME"', expression("github.ref_name")],
	[
		/actions\/checkout@v6 is not pinned/,
		/actions\/checkout@\S+ # v6.0.2/.exec(RELEASE)?.[0] ?? "",
		"actions/checkout@v6",
	],
	[/names its version/, " # v6.0.2", ""],
	[/keeps the token/, "persist-credentials: false", "fetch-depth: 1"],
	[
		/job build: has no permissions of its own/,
		"    timeout-minutes: 120\n    permissions:\n      contents: read\n",
		"    timeout-minutes: 120\n",
	],
	[/job tag: has no timeout-minutes/, "    timeout-minutes: 10\n", ""],
	[/the workflow itself must have/, "permissions: {}", "permissions: write-all"],
])) {
	test(`a workflow with this fault is refused: ${fault.source}`, async () => {
		assert.ok(RELEASE.includes(from), from);
		const faults = await workflowFaults("release.yml", RELEASE.replace(from, to));
		assert.ok(
			faults.some((line) => fault.test(line)),
			faults.join("\n"),
		);
	});
}

test("the workflows as they are have no fault", async () => {
	assert.deepEqual(await workflowFaults("release.yml", RELEASE), []);
	assert.deepEqual(await workflowFaults("ci.yml", read(".github/workflows/ci.yml")), []);
});
