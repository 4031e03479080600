// The real server of CCDD, from PyPI.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { pythonProgram, withoutPython } from "../harness/python-servers.js";
import { until } from "../harness/until.js";
import { startChatCompletions } from "../services/chat-completions.js";
import { openBundled } from "./bundled.js";

const skip = withoutPython();

const BAD = `import os
import leftpad

def total(items, seen=[]):
    assert items
    try:
        if items == None:
            print("nothing")
    except:
        pass
    return sum(items)
`;

const READING = {
	measure_complexity: { code: BAD },
	complexity_rubric: {},
	lint_task_contract: { contract_text: "---\ntask: x\n---\n" },
	audit_composition: null,
	audit_orphan_targets: null,
	audit_annotations: null,
	eval_rubric: {},
	scan_guardrails: null,
	scan_dependencies: { code: BAD, deps_allowed: [] },
	check_signature: { source: BAD, fn_name: "total", expected_signature: "def total(items, seen): ..." },
	check_purity: { source: BAD, fn_name: "total" },
	check_mutable_defaults: { source: BAD, fn_name: "total" },
	check_bare_except: { source: BAD, fn_name: "total" },
	check_asserts: { source: BAD, fn_name: "total" },
	check_none_cmp: { source: BAD, fn_name: "total" },
};
const CHANGING = [
	"mutation_audit",
	"run_integration_gate",
	"request_human_attestation",
	"run_ephemeral_agent",
	"run_eval_gate",
	"judge_audit",
	"run_rules_gate",
];

/** @param {import("node:test").TestContext} t */
function ccdd(t, environment = {}) {
	const script = execFileSync(pythonProgram("python"), [
		"-c",
		"import importlib.util as u; print(u.find_spec('runners.complexity_mcp').origin)",
	]);
	const CCDD_GATE_SCRIPT = script.toString().trim();
	return openBundled(t, "ccdd-gate", { CCDD_GATE_SCRIPT, CCDD_GATE_PYTHON: pythonProgram("python"), ...environment });
}

/** A contract, the file that it is about, and its frozen test. */
function contract(t) {
	const folder = mkdtempSync(path.join(tmpdir(), "ccdd-"));
	t.after(() => rmSync(folder, { recursive: true }));
	const target = path.join(folder, "add.py");
	writeFileSync(target, "def add(a: int, b: int) -> int:\n    raise NotImplementedError\n");
	const task = path.join(folder, "add.task.md");
	writeFileSync(
		task,
		'---\ntask: add-two\ntarget: add.py\nsignature: "def add(a: int, b: int) -> int"\n---\n\n## Intent\nAdd.\n',
	);
	return { task, target };
}

describe("ccdd-gate", { skip, timeout: 120_000 }, () => {
	test("offers every tool, and knows which only read", async (t) => {
		const { runtime } = await ccdd(t);
		const tools = await runtime.tools({ kind: "flat", plugin: "ccdd" });
		const named = (readOnly) =>
			tools
				.filter(
					({ name, annotations }) =>
						!/^skill_|^read_more$/.test(name) && Boolean(annotations?.readOnlyHint) === readOnly,
				)
				.map(({ name }) => name)
				.toSorted();
		assert.deepEqual(named(true), Object.keys(READING).toSorted());
		assert.deepEqual(named(false), CHANGING.toSorted());
	});

	test("the tools that read answer unasked, the others want consent", async (t) => {
		const { callUnasked } = await ccdd(t);
		for (const [tool, args] of Object.entries(READING)) {
			if (!args) continue;
			const answer = await callUnasked(tool, args);
			assert.equal(answer.code, undefined, `${tool}: ${JSON.stringify(answer)}`);
		}
		assert.deepEqual(await callUnasked("check_none_cmp", READING.check_none_cmp), { none_eq_lines: [7] });
		assert.deepEqual(await callUnasked("scan_dependencies", READING.scan_dependencies), { unauthorized: ["leftpad"] });
		assert.equal((await callUnasked("run_ephemeral_agent", { task_path: "x" })).code, "CONFIRM_REQUIRED");
		const failing = await callUnasked("scan_guardrails", { code: "x = 1" });
		assert.equal(failing.code, "TOOL_FAILED");
		assert.match(JSON.stringify(failing.result), /context\.yaml/, "the package carries no contracts");
		assert.equal((await callUnasked("check_none_cmp", { source: BAD })).code, "ARG_VALIDATION_FAILED");
	});

	test("the gate is one verdict, and what could not be looked at is no pass", async (t) => {
		const { skillUnasked } = await ccdd(t);
		const checks = "complexity dependencies purity mutable-defaults bare-except asserts none-cmp".split(" ");
		const { verdict, passed, failed, results } = await skillUnasked("quality-gate-check", {
			code: BAD,
			fnName: "total",
			checks,
		});
		assert.equal(verdict, "FAIL");
		assert.deepEqual([passed, failed], [1, 6]);
		assert.deepEqual(
			results.map(({ check, outcome }) => [check, outcome]),
			checks.map((check) => [check, check === "complexity" ? "passed" : "failed"]),
		);
		assert.deepEqual(results[5].complaints, [5]);

		const whole = await skillUnasked("quality-gate-check", { code: "def f(a):\n    return a\n" });
		assert.equal(whole.verdict, "INCOMPLETE");
		assert.deepEqual([whole.passed, whole.failed, whole.notChecked], [2, 0, 1]);
		const [, guardrails] = whole.results;
		assert.match(guardrails.reason, /scan_guardrails/);

		const without = await skillUnasked("quality-gate-check", { code: "x = 1", checks: ["purity"] });
		assert.match(without.results[0].reason, /needs fnName/);
		const broken = await skillUnasked("quality-gate-check", { code: "def f(:", checks: ["complexity"] });
		assert.equal(broken.verdict, "FAIL");
		assert.match(broken.results[0].complaints[0], /invalid syntax/);
		const unknown = await skillUnasked("quality-gate-check", { code: "x", checks: ["beauty"] });
		assert.equal(unknown.code, "ARG_VALIDATION_FAILED");
	});

	test("an agent is started with consent, works on in the background, and tells how it ended", async (t) => {
		const { task, target } = contract(t);
		/** @type {(code: string) => void} */
		let write = () => {};
		const written = new Promise((resolve) => {
			write = resolve;
		});
		const model = await startChatCompletions(t, async () => `\`\`\`python\n${await written}\`\`\``);
		const { skill, skillUnasked, callUnasked } = await ccdd(t, {
			CCDD_EXECUTOR_API: model.url,
			CCDD_EXECUTOR_MODEL: "small",
		});
		const before = readFileSync(target, "utf8");
		assert.equal((await skillUnasked("start-ephemeral-agent", { task_path: task })).code, "CONFIRM_REQUIRED");
		const { jobId, state } = await skill("start-ephemeral-agent", { task_path: task });
		assert.equal(state, "running");
		await until("question to the model", () => model.received.length > 0);
		assert.equal(model.received[0].model, "small");
		assert.equal((await skillUnasked("ephemeral-agent-status", { jobId })).state, "running");

		write("def add(a: int, b: int) -> int:\n    return a + b\n");
		const ended = await until("end of the agent", async () => {
			const job = await skillUnasked("ephemeral-agent-status", { jobId });
			return job.state !== "running" && job;
		});
		// The contract has no test that could pass, so the gate refuses each try and the file is as it was.
		assert.equal(ended.state, "done");
		assert.equal(ended.result.status, "FAIL");
		assert.equal(ended.result.iterations, 3);
		assert.equal(readFileSync(target, "utf8"), before);
		assert.equal((await callUnasked("check_asserts", READING.check_asserts)).assert_lines[0], 5);
	});

	test("a job that is not there is named as such, and a contract that is not there is the job's result", async (t) => {
		const { skill, skillUnasked } = await ccdd(t);
		const { jobId } = await skill("start-ephemeral-agent", { task_path: "/nowhere.md" });
		const ended = await until("end of the agent", async () => {
			const job = await skillUnasked("ephemeral-agent-status", { jobId });
			return job.state !== "running" && job;
		});
		assert.match(ended.result.reason, /nowhere\.md/);
		const { error, hint } = await skillUnasked("ephemeral-agent-status", { jobId: "x" });
		assert.match(error, new RegExp(`there is no job "x"; of this run there are: ${jobId}`));
		assert.match(hint, /start-ephemeral-agent/);
	});

	test("a script that is not there is said to be", async (t) => {
		const { callUnasked } = await ccdd(t, { CCDD_GATE_SCRIPT: "/nowhere/complexity_mcp.py" });
		const answer = await callUnasked("check_none_cmp", READING.check_none_cmp);
		assert.equal(answer.code, "PLUGIN_UNAVAILABLE");
		assert.match(answer.error, /nowhere/);
	});
});
