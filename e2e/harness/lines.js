/**
 * Calls `onLine` for each line of a stream. Not `node:readline`, to which U+2028 inside a JSON text is the end of a line.
 *
 * @param {import("node:stream").Readable} stream
 * @param {(line: string) => void} onLine
 */
export function eachLine(stream, onLine) {
	let rest = "";
	stream.setEncoding("utf8");
	stream.on("data", (chunk) => {
		const lines = (rest + chunk).split("\n");
		rest = lines.pop() ?? "";
		lines.forEach(onLine);
	});
}
