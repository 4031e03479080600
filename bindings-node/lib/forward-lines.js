/** A line without an end must not be held in memory for ever. */
const LONGEST = 16 * 1024;

/**
 * Hands on what a stream says, line by line.
 *
 * @param {import("node:stream").Readable} stream
 * @param {(line: string) => void} write
 */
export function forwardLines(stream, write) {
	let rest = "";
	stream.setEncoding("utf8");
	stream.on("data", (/** @type {string} */ chunk) => {
		const lines = (rest + chunk).split(/\r?\n/);
		rest = lines.pop() ?? "";
		for (const line of lines) write(line);
		if (rest.length > LONGEST) {
			write(rest);
			rest = "";
		}
	});
	stream.on("end", () => {
		if (rest) write(rest);
		rest = "";
	});
}
