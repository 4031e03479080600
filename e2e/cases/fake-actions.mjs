import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { listOf } from "./fake-tools.mjs";

/**
 * What a step of a scenario may do, by its key in cases.jsonl. `message` is the one that the step answers; there is none
 * at the start.
 *
 * @typedef {{tools: any[], lineEnd: string}} Server
 * @typedef {{message?: any, server: Server, write: (message: object) => void, writeLine: (text: string) => void}} Context
 * @type {Record<string, (action: any, context: Context) => unknown>}
 */
const ACTIONS = {
	// Raw stdout and stderr, with no line end added.
	out: ({ out }) => raw(out),
	out_hex: ({ out_hex }) => raw(Buffer.from(out_hex, "hex")),
	out_repeat: ({ out_repeat: [text, times] }) => raw(text.repeat(times)),
	err: ({ err }) => raw(err, process.stderr),
	err_repeat: ({ err_repeat: [text, times] }) => raw(text.repeat(times), process.stderr),
	/** A line each so many milliseconds, for as long as the server runs. */
	err_every_ms: ({ err_every_ms, line }) => setInterval(() => process.stderr.write(`${line}\n`), err_every_ms),
	line_end: ({ line_end }, { server }) => {
		server.lineEnd = line_end;
	},

	reply: ({ reply: result }, context) => reply(context, result),
	/** The text of a result, for what JSON.stringify cannot write. */
	reply_raw: ({ reply_raw }, { message, writeLine }) =>
		writeLine(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${reply_raw}}`),
	reply_no_newline: ({ reply_no_newline }, { message }) => raw(answer(message, reply_no_newline)),
	reply_chunked: ({ reply_chunked, ...how }, { message }) => inChunks(`${answer(message, reply_chunked)}\n`, how),
	reply_text_bytes: ({ reply_text_bytes, ...how }, { message }) =>
		inChunks(`${answer(message, textResult("x".repeat(reply_text_bytes)))}\n`, how),
	reply_image_bytes: ({ reply_image_bytes, mimeType = "image/png" }, context) =>
		reply(context, {
			content: [{ type: "image", data: Buffer.alloc(reply_image_bytes).toString("base64"), mimeType }],
		}),
	reply_env: (_, context) => reply(context, textResult(JSON.stringify(process.env))),
	reply_pid: (_, context) => reply(context, textResult(String(process.pid))),
	reply_pages: page,
	fail: ({ fail }, { message, write }) => write({ jsonrpc: "2.0", id: message.id, error: fail }),

	notify: ({ notify, params }, { write }) =>
		write({ jsonrpc: "2.0", ...(typeof notify === "string" ? { method: notify, params } : notify) }),
	request: ({ request }, { write }) => write({ jsonrpc: "2.0", id: "from-the-server", ...request }),
	set_tools: ({ set_tools }, { server }) => {
		server.tools = listOf(set_tools);
	},
	sleep_ms: ({ sleep_ms }) => sleep(sleep_ms),
	progress_every_ms: report,
	exit: ({ exit }) => process.exit(exit),
	signal_self: ({ signal_self }) => process.kill(process.pid, signal_self),
	/** A process in a session of its own. */
	detach: ({ detach: [command, ...args] }) => spawn(command, args, { detached: true, stdio: "ignore" }),
	/** The end of stdin and SIGTERM no longer end the server. */
	stubborn: () => {
		process.on("SIGTERM", () => {});
		setInterval(() => {}, 1 << 30);
	},
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

function textResult(text) {
	return { content: [{ type: "text", text }] };
}

function answer({ id }, result) {
	return JSON.stringify({ jsonrpc: "2.0", id, result });
}

function reply({ message, write }, result) {
	write({ jsonrpc: "2.0", id: message.id, result });
}

/** @returns {Promise<void>} when it is on its way */
function raw(data, stream = process.stdout) {
	return new Promise((resolve) => stream.write(data, () => resolve()));
}

async function inChunks(text, { bytes_per_chunk: size, gap_ms: gap = 0 }) {
	const bytes = Buffer.from(text);
	for (let start = 0; start < bytes.length; start += size) {
		await raw(bytes.subarray(start, start + size));
		if (gap) await sleep(gap);
	}
}

/**
 * A page of `total` tools. A cursor that was never given out is an error, so that it must come back as it was. The cursor
 * behind the last page is `last_cursor`, `repeat_cursor` is that of every page but the last.
 */
function page({ page_size, total, last_cursor, repeat_cursor }, context) {
	const { cursor } = context.message.params ?? {};
	const pages = Math.ceil(total / page_size);
	const cursors = Array.from({ length: pages }, (_, index) => Buffer.from(`~~??page ${index}`).toString("base64"));
	const index = repeat_cursor && cursor === repeat_cursor ? 1 : cursor === undefined ? 0 : cursors.indexOf(cursor);
	if (index < 0) {
		const error = { code: -32602, message: `Unknown cursor ${JSON.stringify(cursor)}` };
		return context.write({ jsonrpc: "2.0", id: context.message.id, error });
	}
	const all = listOf({ count: total, name: "tool_{i}" });
	const nextCursor = index + 1 < pages ? (repeat_cursor ?? cursors[index + 1]) : last_cursor;
	reply(context, { tools: all.slice(index * page_size, (index + 1) * page_size), nextCursor });
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
