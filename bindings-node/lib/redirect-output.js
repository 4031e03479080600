import { StringDecoder } from "node:string_decoder";

/** @typedef {"stdout" | "stderr"} StreamName */

/**
 * Worker side: hands everything written to this thread's stdout and stderr to `send`. The main thread could read
 * `worker.stdout` instead, but reading it would keep the process alive.
 *
 * @param {(output: StreamName, text: string) => void} send
 */
export function redirectOutput(send) {
	for (const name of /** @type {StreamName[]} */ (["stdout", "stderr"])) {
		const stream = /** @type {import("node:stream").Writable} */ (process[name]);
		const decoder = new StringDecoder();

		/** @param {Buffer | string} chunk */
		const forward = (chunk) => send(name, typeof chunk === "string" ? chunk : decoder.write(chunk));

		stream._write = (chunk, _encoding, callback) => {
			forward(chunk);
			callback();
		};
		stream._writev = (chunks, callback) => {
			for (const { chunk } of chunks) forward(chunk);
			callback();
		};
	}
}
