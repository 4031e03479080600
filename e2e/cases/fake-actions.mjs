import { setTimeout as sleep } from "node:timers/promises";

/**
 * What a step of a scenario may do, by its key in cases.jsonl.
 *
 * @typedef {{message: any, write: (message: object) => void, writeLine: (text: string) => void}} Context of the message that the step answers
 * @type {Record<string, (action: any, context: Context) => unknown>}
 */
const ACTIONS = {
	reply: ({ reply }, { message, write }) => write({ jsonrpc: "2.0", id: message.id, result: reply }),
	/** The text of a result, for what JSON.stringify cannot write. */
	reply_raw: ({ reply_raw }, { message, writeLine }) =>
		writeLine(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${reply_raw}}`),
	fail: ({ fail }, { message, write }) => write({ jsonrpc: "2.0", id: message.id, error: fail }),
	notify: ({ notify, params }, { write }) => write({ jsonrpc: "2.0", method: notify, params }),
	sleep_ms: ({ sleep_ms }) => sleep(sleep_ms),
	progress_every_ms: report,
	exit: ({ exit }) => process.exit(exit),
	err: ({ err }) => process.stderr.write(err),
};

/**
 * @param {object[]} actions
 * @param {Context} context
 */
export async function perform(actions, context) {
	for (const action of actions) {
		const name = Object.keys(action).find((key) => key in ACTIONS);
		if (!name) throw new Error(`no such action: ${JSON.stringify(action)}`);
		await ACTIONS[name](action, context);
	}
}

/** Progress that goes up by one, or stays at `progress_value` where that is given. */
async function report({ progress_every_ms, for_ms, progress_value }, { message, write }) {
	const token = message.params?._meta?.progressToken;
	const end = Date.now() + for_ms;
	for (let step = 1; Date.now() < end; step++) {
		const params = { progressToken: token, progress: progress_value ?? step };
		if (token !== undefined) write({ jsonrpc: "2.0", method: "notifications/progress", params });
		await sleep(progress_every_ms);
	}
}
