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
	} finally {
		signal.removeEventListener("abort", cancel);
	}
}

/**
 * The core answers a cancelled call with a reply; whoever aborts a signal expects a rejection. A call that ended in
 * another way before it noticed keeps its reply, since what it did has been done.
 *
 * @param {AbortSignal | undefined} signal
 * @param {import("../index.d.ts").ToolReply} reply
 */
export function rejectIfCancelled(signal, reply) {
	if (signal?.aborted && reply.isError && codeOf(reply) === "CANCELLED") throw cancelled(signal);
}

/** @param {import("../index.d.ts").ToolReply} reply */
function codeOf({ content: [first] }) {
	try {
		return first?.type === "text" ? JSON.parse(String(first.text)).code : undefined;
	} catch {
		return undefined;
	}
}

/** @param {AbortSignal} signal */
function cancelled(signal) {
	return new AgentToolsError("CANCELLED", "The call was cancelled", { cause: signal.reason });
}
