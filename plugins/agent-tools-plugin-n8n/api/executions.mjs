import { setTimeout as delay } from "node:timers/promises";
import { call } from "./call.mjs";

/**
 * @typedef {object} Execution
 * @property {string} id
 * @property {string} status
 * @property {string} workflowId
 * @property {string} [mode]
 * @property {string | null} [startedAt]
 * @property {string | null} [stoppedAt]
 * @property {string} [workflowName]
 */

const ENDED = new Set(["success", "error", "crashed", "canceled"]);
const WAITING = { tries: 6, pauseMs: 700 };

/**
 * Waits for a run of a workflow to end. One that waits itself is given as it is; `undefined` where none is listed in time, as while it runs.
 *
 * @param {import("./call.mjs").Adapter} adapter
 * @param {string} workflowId of which there has been no run before
 * @returns {Promise<Execution | undefined>}
 */
export async function awaitExecution(adapter, workflowId) {
	/** @type {Execution | undefined} */
	let latest;
	for (let tries = 0; tries < WAITING.tries; tries++) {
		if (tries > 0) await delay(WAITING.pauseMs);
		/** @type {{data: Execution[]}} */
		const { data } = await call(adapter, "list_executions", { workflowId, limit: 1 });
		latest = data[0];
		if (latest && ENDED.has(latest.status)) return latest;
	}
	return latest;
}
