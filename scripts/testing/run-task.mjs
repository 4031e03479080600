import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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
 * @property {number} [limitMs] it is killed then
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
	const { code, output, leaked } = await run(task, echo);
	return { title: task.title, ...outcome(task, code, output, leaked), ms: performance.now() - start, output };
}

/**
 * @param {Task} task
 * @param {number | null} code
 * @param {string} output
 * @param {boolean} leaked
 */
function outcome(task, code, output, leaked) {
	if (leaked) return { passed: 0, failed: 1, skipped: 0 };
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
 * @returns {Promise<{code: number | null, output: string, leaked: boolean}>} `leaked`: a secret of the environment was shown
 */
async function run({ command: [program = "", ...args], cwd = ROOT, env = process.env, limitMs }, echo) {
	// Nothing of the developer's own, and nothing of an earlier run.
	const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-test-"));
	const own = {
		AGENT_TOOLS_CACHE_DIR: path.join(folder, "cache"),
		AGENT_TOOLS_DATA_DIR: path.join(folder, "data"),
		AGENT_TOOLS_STATE_DIR: path.join(folder, "state"),
	};
	const canary = `canary-${randomBytes(12).toString("hex")}`;
	const child = spawn(program, args, {
		cwd,
		env: { ...own, ...env, AGENT_TOOLS_CANARY_TOKEN: canary, FORCE_COLOR: "0" },
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
	const limit = limitMs && setTimeout(() => end(child), limitMs);
	try {
		const [code] = await once(child, "close");
		return { code, output, leaked: shows(canary, output, folder, echo) };
	} catch (error) {
		return { code: null, output: `${output}${error}`, leaked: false };
	} finally {
		clearTimeout(limit);
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * What it has started may hold its output open.
 *
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} child
 */
function end(child) {
	child.kill("SIGKILL");
	child.stdout.destroy();
	child.stderr.destroy();
}

/**
 * Whether a secret of the environment is in what a task has printed, or in what it has left in the cache and the call log.
 *
 * @param {string} canary
 * @param {string} output
 * @param {string} folder
 * @param {boolean} echo
 */
function shows(canary, output, folder, echo) {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const places = files
		.map(({ parentPath, name }) => path.join(parentPath, name))
		.filter((file) => readFileSync(file).includes(canary));
	if (output.includes(canary)) places.push("the output");
	if (echo) for (const place of places) console.log(`the secret AGENT_TOOLS_CANARY_TOKEN is in ${place}`);
	return places.length > 0;
}
