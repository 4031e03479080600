import assert from "node:assert/strict";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { startMarked } from "../harness/host-process.js";
import { fixtureServers, leftAfter } from "../harness/marked-processes.js";
import { FIXTURES } from "../harness/paths.js";

const GONE_WITHIN_MS = 2000;
const ENDS_AT_ALL_MS = 60_000;

// What each call leaves running, besides the host itself.
const PLUGINS = {
	"an MCP server with a child": { plugins: ["stubborn"], call: ["stubborn", "echo", { message: "hi" }], running: 2 },
	"a published MCP server": { plugins: ["real"], call: ["real", "echo", { message: "hi" }], running: 1 },
	"a process that a JavaScript plugin started": { plugins: ["spawner"], call: ["spawner", "start", {}], running: 2 },
};

const ENDS = [
	{ name: "SIGTERM", end: "wait", signal: "SIGTERM", expected: { code: null, signal: "SIGTERM" } },
	{ name: "SIGINT", end: "wait", signal: "SIGINT", expected: { code: null, signal: "SIGINT" } },
	{ name: "SIGHUP", end: "wait", signal: "SIGHUP", expected: { code: null, signal: "SIGHUP" } },
	{ name: "SIGKILL", end: "wait", signal: "SIGKILL", expected: { code: null, signal: "SIGKILL" } },
	{ name: "process.exit", end: "exit", expected: { code: 7, signal: null } },
	{ name: "an uncaught exception", end: "throw", expected: { code: 1, signal: null } },
	{ name: "an unhandled rejection", end: "reject", expected: { code: 1, signal: null } },
	{ name: "having nothing left to do", end: "return", expected: { code: 0, signal: null } },
	{ name: "closing the runtime", end: "close", expected: { code: 0, signal: null } },
];

for (const [what, { plugins, call, running }] of Object.entries(PLUGINS)) {
	for (const { name, end, signal, expected } of ENDS) {
		test(`a host that ends by ${name} leaves nothing of ${what}`, { timeout: ENDS_AT_ALL_MS }, async (t) => {
			const host = startMarked(t, [path.join(FIXTURES, "host.mjs"), end], {
				plugins,
				env: { HOST_CALLS: JSON.stringify([call]) },
			});
			await ready(host);
			await fixtureServers(host.marker, running);

			host.child.stdin.write("end\n");
			if (signal) host.child.kill(signal);

			assert.deepEqual(await host.ended, expected, host.stderr());
			assert.deepEqual(await leftAfter(host.marker, GONE_WITHIN_MS), []);
		});
	}
}

async function ready(host) {
	const lines = createInterface({ input: host.child.stdout });
	const first = await Promise.race([
		new Promise((resolve) => lines.once("line", resolve)),
		host.ended.then(({ code }) => `ended with ${code}: ${host.stderr()}`),
	]);
	assert.equal(first, "ready");
}
