import { once } from "node:events";
import { connect } from "node:net";

/**
 * Posts JSON over one connection that is kept alive. Node's own client would take longer than the server it measures.
 *
 * @param {number} port
 */
export async function rawHttpClient(port) {
	const socket = connect(port, "127.0.0.1").setNoDelay();
	await once(socket, "connect");
	let received = "";
	/** @type {(body: string) => void} */
	let answer = () => {};
	socket.setEncoding("latin1");
	socket.on("data", (chunk) => {
		received += chunk;
		const end = received.indexOf("\r\n\r\n");
		if (end === -1) return;
		const length = Number(/content-length: (\d+)/i.exec(received.slice(0, end))?.[1]);
		if (received.length < end + 4 + length) return;
		const body = received.slice(end + 4);
		received = "";
		answer(body);
	});

	return {
		/**
		 * @param {Record<string, string>} headers
		 * @param {unknown} message
		 * @returns {Promise<string>}
		 */
		post(headers, message) {
			const body = JSON.stringify(message);
			const lines = Object.entries({
				...headers,
				host: `127.0.0.1:${port}`,
				"content-length": Buffer.byteLength(body),
			});
			const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
			return new Promise((resolve) => {
				answer = resolve;
				socket.write(`POST /mcp HTTP/1.1\r\n${head}\r\n${body}`);
			});
		},
		close: () => socket.destroy(),
	};
}
