import { execFileSync } from "node:child_process";
import path from "node:path";
import { onNode } from "../../../e2e/harness/node-versions.js";
import { runTask } from "../run-task.mjs";
import { COPY } from "./copy.mjs";

/** @typedef {import("./list.mjs").Test} Test */

/** A test that hangs without its guard has failed; none takes as long with it, on a busy machine either. */
const LIMIT_MS = { rust: 180_000, js: 600_000 };

/** @param {Test} test */
export function nameOf(test) {
	return "rust" in test ? test.rust : `${test.js}: ${test.name}`;
}

/**
 * How each test is run.
 *
 * @param {string[]} programs that hold the tests in Rust
 * @returns {(test: Test) => import("../run-task.mjs").Task}
 */
export function commands(programs) {
	const all = programs.flatMap((program) =>
		execFileSync(program, ["--list", "--format=terse"], { encoding: "utf8", cwd: path.join(COPY, "runtime") })
			.split("\n")
			.filter((line) => line.endsWith(": test"))
			.map((line) => ({ program, name: line.slice(0, -": test".length) })),
	);
	return (test) => {
		const common = { title: nameOf(test), tests: true, limitMs: "js" in test ? LIMIT_MS.js : LIMIT_MS.rust };
		if ("js" in test) {
			const pattern = (test.parent ?? test.name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
			const command = ["node", "--test-reporter=spec", `--test-name-pattern=${pattern}`, test.js];
			return { ...common, command, cwd: COPY, env: onNode(24) };
		}
		const found = all.filter(({ name }) => `::${name}`.endsWith(`::${test.rust}`));
		const [one] = found;
		if (!one || found.length > 1) throw new Error(`${found.length} tests are named ${test.rust}`);
		const env = { ...process.env, INSTA_UPDATE: "no" };
		return { ...common, command: [one.program, "--exact", one.name], cwd: path.join(COPY, "runtime"), env };
	};
}

/**
 * @param {Test} test
 * @param {import("../run-task.mjs").Task} task
 */
export async function passes(test, task) {
	const { passed, failed, output } = await runTask(task);
	const all = { passed: passed > 0 && failed === 0, output };
	if (!("js" in test) || test.parent === undefined) return all;
	// With a part of a test all others run, too.
	const marks = output.split("\n").flatMap((line) => /^\s+([✔✖]) (.*)/.exec(line)?.slice(1, 3).join(" ") ?? []);
	const own = marks.filter((mark) => mark.slice(2).startsWith(test.name));
	return { ...all, passed: own.length > 0 && own.every((mark) => mark.startsWith("✔")) };
}
