import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../../e2e/harness/paths.js";
import { countTests } from "./count-tests.mjs";

/**
 * @typedef {object} Task one command of a stage
 * @property {string} title
 * @property {string[]} command
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [tests] whether its output tells how many tests ran; else the command itself is the test
 * @property {(output: string) => string | undefined} [unavailable] why it could not be done here, if that is so
 * @property {string} [skip] why it cannot be run here at all
 *
 * @typedef {object} Result
 * @property {string} title
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {number} ms
 * @property {string} output
 */

/**
 * @param {Task} task
 * @param {{echo?: boolean}} [options]
 * @returns {Promise<Result>}
 */
export async function runTask(task, { echo = false } = {}) {
	if (task.skip) {
		if (echo) console.log(`skipped: ${task.skip}`);
		return { title: task.title, passed: 0, failed: 0, skipped: 1, ms: 0, output: task.skip };
	}
	const start = performance.now();
	const { code, output } = await run(task, echo);
	return { title: task.title, ...outcome(task, code, output), ms: performance.now() - start, output };
}

/**
 * @param {Task} task
 * @param {number | null} code
 * @param {string} output
 */
function outcome(task, code, output) {
	const ok = code === 0;
	if (!ok && task.unavailable?.(output)) return { passed: 0, failed: 0, skipped: 1 };
	if (!task.tests) return { passed: Number(ok), failed: Number(!ok), skipped: 0 };
	const counts = countTests(output);
	// A run that ends badly has failed even if each test that it reported passed, and a run of no test shows nothing.
	const silent = counts.failed === 0 && (!ok || counts.passed === 0);
	return { ...counts, failed: counts.failed + Number(silent) };
}

/**
 * @param {Task} task
 * @param {boolean} echo
 * @returns {Promise<{code: number | null, output: string}>}
 */
async function run({ command: [program = "", ...args], cwd = ROOT, env = process.env }, echo) {
	// Nothing of the developer's own, and nothing of an earlier run.
	const cache = mkdtempSync(path.join(tmpdir(), "agent-tools-cache-"));
	const child = spawn(program, args, {
		cwd,
		env: { AGENT_TOOLS_CACHE_DIR: cache, ...env, FORCE_COLOR: "0" },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8");
		stream.on("data", (text) => {
			output += text;
			if (echo) process.stdout.write(text);
		});
	}
	try {
		const [code] = await once(child, "close");
		return { code, output };
	} catch (error) {
		return { code: null, output: `${output}${error}` };
	} finally {
		rmSync(cache, { recursive: true, force: true });
	}
}
