// What takes long runs on while the agent does something else. Jobs live as long as the plugin's thread.

import { randomUUID } from "node:crypto";
import { OllamaError } from "./client.mjs";

/** So many at once; a model that is asked for more waits in Ollama anyway. */
const RUNNING_AT_MOST = 8;
/** So many that have ended are remembered, the latest. */
const ENDED_AT_MOST = 50;

/**
 * @typedef {{
 *   jobId: string,
 *   kind: string,
 *   model: string,
 *   state: "running" | "done" | "failed" | "cancelled",
 *   startedAt: string,
 *   endedAt?: string,
 *   progress?: object,
 *   result?: unknown,
 *   error?: string,
 * }} Job
 */

export class Jobs {
	/** @type {Map<string, {job: Job, abort: AbortController}>} */
	#jobs = new Map();

	/**
	 * @param {string} kind
	 * @param {string} model
	 * @param {(signal: AbortSignal, progress: (progress: object) => void) => Promise<unknown>} work
	 * @returns {Job}
	 */
	start(kind, model, work) {
		const running = this.#inState("running");
		if (running.length >= RUNNING_AT_MOST) {
			throw new OllamaError(`${running.length} jobs are running already`, {
				hint: "Wait for one (job_status), or end one with cancel_job; list_jobs names them.",
			});
		}
		const abort = new AbortController();
		/** @type {Job} */
		const job = {
			jobId: randomUUID(),
			kind,
			model,
			state: "running",
			startedAt: new Date().toISOString(),
		};
		this.#jobs.set(job.jobId, { job, abort });
		void work(abort.signal, (progress) => {
			job.progress = progress;
		}).then(
			(result) => this.#end(job, { state: "done", result }),
			(error) => this.#end(job, { state: "failed", error: error.message }),
		);
		return { ...job };
	}

	/** @param {string} jobId */
	status(jobId) {
		return { ...this.#find(jobId).job };
	}

	/** @param {string} jobId */
	cancel(jobId) {
		const { job, abort } = this.#find(jobId);
		this.#end(job, { state: "cancelled" });
		abort.abort();
		return { ...job };
	}

	/** All of them without their results, the latest first. */
	list() {
		return [...this.#jobs.values()].map(({ job: { result, ...job } }) => job).reverse();
	}

	/** @param {string} jobId */
	#find(jobId) {
		const found = this.#jobs.get(jobId);
		if (found) return found;
		throw new OllamaError(`there is no job ${JSON.stringify(jobId)}`, {
			hint: "list_jobs names those of this run; jobs end with the runtime.",
		});
	}

	/** @param {Job["state"]} state */
	#inState(state) {
		return [...this.#jobs.values()].filter(({ job }) => job.state === state);
	}

	/**
	 * @param {Job} job
	 * @param {Partial<Job>} end
	 */
	#end(job, end) {
		// The first end counts: what is cancelled fails a moment later.
		if (job.state !== "running") return;
		Object.assign(job, end, { endedAt: new Date().toISOString() });
		const ended = [...this.#jobs.values()].filter(({ job }) => job.state !== "running");
		for (const { job } of ended.slice(0, -ENDED_AT_MOST)) this.#jobs.delete(job.jobId);
	}
}
