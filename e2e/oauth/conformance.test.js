import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { installed } from "../harness/paths.js";

const CLIENT = fileURLToPath(new URL("conformance-client.js", import.meta.url));

/** Extensions of the protocol that are not offered. */
const NOT_OFFERED = new Set([
	"auth/client-credentials-jwt",
	"auth/dpop",
	"auth/dpop-nonce",
	"auth/enterprise-managed-authorization",
	"auth/wif-jwt-bearer",
]);

describe("the protocol's conformance suite for logins", { timeout: 300_000 }, async () => {
	const out = mkdtempSync(path.join(tmpdir(), "agent-tools-conformance-"));
	after(() => rmSync(out, { recursive: true, force: true }));

	const { output: list } = await conformance(["list", "--client"]);
	const scenarios = [...list.matchAll(/^ {2}- (auth\/\S+)/gm)].map(([, scenario]) => scenario);
	test("the suite has the scenarios that are known here", () => {
		assert.ok(scenarios.length > 30, list);
		for (const scenario of NOT_OFFERED) assert.ok(scenarios.includes(scenario), scenario);
	});

	for (const scenario of scenarios.filter((name) => !NOT_OFFERED.has(name))) {
		test(scenario, async () => {
			const command = `"${process.execPath}" "${CLIENT}"`;
			const { code, output } = await conformance(["client", "--command", command, "--scenario", scenario, "-o", out]);
			const [, passed, all] = /^Passed: (\d+)\/(\d+), 0 failed, 0 warnings$/m.exec(output) ?? [];
			assert.equal(code, 0, output);
			assert.ok(Number(passed) > 0 && passed === all, output);
		});
	}

	/** @param {string[]} args */
	function conformance(args) {
		return new Promise((resolve) => {
			execFile(process.execPath, [installed("conformance"), ...args], { cwd: out }, (error, stdout, stderr) =>
				resolve({ code: error ? error.code : 0, output: stdout + stderr }),
			);
		});
	}
});
