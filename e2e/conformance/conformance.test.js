import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startHttp } from "../harness/cli-http.js";
import { fixturePlugin, installed } from "../harness/paths.js";

// Scenarios that the suite reports as passed although they checked nothing, and why there is nothing to check.
const CHECK_NOTHING = {
	"2025-11-25": {
		"server-sse-multiple-streams": "the server has no sessions and answers as JSON",
		"server-sse-polling": "the server has no sessions and answers as JSON",
		"server-session-lifecycle": "the server has no sessions",
	},
	"2026-07-28": {
		"tasks-status-notifications": "the tasks extension is not offered",
	},
};

describe("the protocol's conformance suite", async () => {
	const { port } = await startHttp({ after }, { env: { AGENT_TOOLS_PLUGINS_DIR: fixturePlugin("conformance") } });
	const out = mkdtempSync(path.join(tmpdir(), "agent-tools-conformance-"));
	after(() => rmSync(out, { recursive: true, force: true }));

	for (const [version, nothing] of Object.entries(CHECK_NOTHING)) {
		test(`requirements of ${version}`, { timeout: 300_000 }, async (t) => {
			const { code, stdout } = await conformance(version);
			const summary = stdout.slice(stdout.indexOf("=== SUMMARY ==="));
			console.log(`${version}\n${summary}`);

			await t.test("no check fails but those of the baseline, and each of those does", () =>
				assert.equal(code, 0, summary),
			);
			await t.test("every scenario checks something, but for those with nothing to check", () => {
				const silent = [...summary.matchAll(/^[✓✗] (\S+): 0 passed, 0 failed/gm)].map(([, scenario]) => scenario);
				assert.deepEqual(silent.sort(), Object.keys(nothing).sort());
			});
			await t.test("it did run", () => {
				const [, passed] = /^Total: (\d+) passed/m.exec(summary) ?? [];
				assert.ok(Number(passed) > 40, summary);
			});
		});
	}

	/** The host is called localhost, as one scenario compares it with foreign ones. */
	function conformance(version) {
		const baseline = fileURLToPath(new URL(`baseline-${version}.yml`, import.meta.url));
		const url = `http://localhost:${port}/mcp/conformance`;
		const args = ["server", "--url", url, "--requirements", version, "--expected-failures", baseline, "-o", out];
		return new Promise((resolve) => {
			execFile(process.execPath, [installed("conformance"), ...args], { cwd: out }, (error, stdout) =>
				resolve({ code: error ? error.code : 0, stdout }),
			);
		});
	}
});
