import { once } from "node:events";
import { createServer } from "node:http";

/**
 * A service on 127.0.0.1 that records what reaches it and says so in its answer.
 *
 * @param {import("node:test").TestContext} t
 */
export async function recordingService(t) {
	/** @type {{method: string, url: string, headers: import("node:http").IncomingHttpHeaders, body: string}[]} */
	const received = [];
	const server = createServer(async (request, response) => {
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		const { method = "", url = "", headers } = request;
		received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify({ method, url }));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.after(() => server.close());
	const address = /** @type {import("node:net").AddressInfo} */ (server.address());
	return { url: `http://127.0.0.1:${address.port}`, received };
}
