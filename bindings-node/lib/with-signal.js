import { AgentToolsError } from "./agent-tools-error.js";

/** @typedef {import("./native-types.d.ts").CancelHandle} CancelHandle */

/**
 * Runs `work` with a handle that `signal` cancels. The addon is never given the signal itself.
 *
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {new () => CancelHandle} Handle
 * @param {(handle?: CancelHandle) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withSignal(signal, Handle, work) {
	if (!signal) return work();
	if (signal.aborted) throw cancelled(signal);

	const handle = new Handle();
	const cancel = () => handle.cancel();
	signal.addEventListener("abort", cancel, { once: true });
	try {
		return await work(handle);
	} catch (error) {
		if (signal.aborted && AgentToolsError.from(error).code === "CANCELLED") throw cancelled(signal);
		throw error;
	} finally {
		signal.removeEventListener("abort", cancel);
	}
}

/** @param {AbortSignal} signal */
function cancelled(signal) {
	return new AgentToolsError("CANCELLED", "The call was cancelled", { cause: signal.reason });
}
