// Agents that were started. They live as long as the plugin's thread.

import { randomUUID } from "node:crypto";

/** So many that have ended are remembered, the latest. */
const ENDED_AT_MOST = 50;

/**
 * @typedef {{
 *   jobId: string,
 *   task: string,
 *   state: "running" | "done" | "failed",
 *   startedAt: string,
 *   endedAt?: string,
 *   result?: unknown,
 *   error?: string,
 * }} Job
 */

/** @type {Map<string, Job>} */
const jobs = new Map();

/**
 * @param {string} task
 * @param {Promise<unknown>} work
 */
export function start(task, work) {
	/** @type {Job} */
	const job = { jobId: randomUUID(), task, state: "running", startedAt: new Date().toISOString() };
	jobs.set(job.jobId, job);
	work.then(
		(result) => end(job, { state: "done", result }),
		(error) => end(job, { state: "failed", error: error.message }),
	);
	return job.jobId;
}

/** @param {string} jobId */
export function status(jobId) {
	const job = jobs.get(jobId);
	if (!job) {
		const known = [...jobs.keys()].join(", ") || "none";
		throw Object.assign(new Error(`there is no job ${JSON.stringify(jobId)}; of this run there are: ${known}`), {
			hint: "start-ephemeral-agent gives the jobId. Jobs end with the runtime.",
		});
	}
	const until = job.endedAt ? Date.parse(job.endedAt) : Date.now();
	return { ...job, seconds: Math.round((until - Date.parse(job.startedAt)) / 1000) };
}

/**
 * @param {Job} job
 * @param {Partial<Job>} how
 */
function end(job, how) {
	Object.assign(job, how, { endedAt: new Date().toISOString() });
	const ended = [...jobs.values()].filter(({ state }) => state !== "running");
	for (const { jobId } of ended.slice(0, -ENDED_AT_MOST)) jobs.delete(jobId);
}
