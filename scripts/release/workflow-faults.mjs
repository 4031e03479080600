import { parseDocument } from "yaml";
import { parsedByGitHub } from "./workflow-language.mjs";

const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;
const VERSIONED = /^ v\d+\.\d+\.\d+$/;

/**
 * @typedef {{run?: string, uses?: string, with?: Record<string, unknown>}} Step
 * @typedef {{permissions?: unknown, uses?: string, steps?: Step[], "timeout-minutes"?: number}} Job
 */

/**
 * What is wrong with a workflow, one line each: what GitHub's own parser says, and what it would allow but we do not.
 *
 * @param {string} name
 * @param {string} text
 * @returns {Promise<string[]>}
 */
export async function workflowFaults(name, text) {
	const wrong = await parsedByGitHub(name, text);
	/** @type {{permissions?: unknown, jobs?: Record<string, Job>}} */
	const workflow = parseDocument(text).toJS() ?? {};
	if (JSON.stringify(workflow.permissions) !== "{}") wrong.push("the workflow itself must have `permissions: {}`");
	for (const [id, job] of Object.entries(workflow.jobs ?? {})) wrong.push(...jobFaults(id, job));
	for (const [, comment = ""] of text.matchAll(/uses: \S+@[0-9a-f]{40}(?: #(.*))?$/gm)) {
		if (!VERSIONED.test(comment.split(",")[0] ?? ""))
			wrong.push("a pinned action names its version behind it: # v1.2.3");
	}
	return wrong.map((line) => `${name}: ${line}`);
}

/**
 * @param {string} id
 * @param {Job} job
 */
function jobFaults(id, job) {
	const wrong = [];
	if (typeof job.permissions !== "object") wrong.push("has no permissions of its own");
	if (!job.uses && !job["timeout-minutes"]) wrong.push("has no timeout-minutes");
	for (const step of job.steps ?? []) {
		// A value would become part of the script, whatever it says; an environment variable stays a value.
		if (step.run?.includes("${{")) wrong.push("an expression in `run`: give it as `env` instead");
		if (step.uses && !PINNED.test(step.uses)) wrong.push(`${step.uses} is not pinned by its commit`);
		if (step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false) {
			wrong.push("actions/checkout keeps the token: set persist-credentials: false");
		}
	}
	return wrong.map((line) => `job ${id}: ${line}`);
}
