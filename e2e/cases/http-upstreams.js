// Plugins with a server behind a URL, and servers and ports to try them with.

import net from "node:net";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { headers, request } from "../harness/protocol.js";
import { DOORS, environment } from "./doors.js";
import { events, FakeHttpServer } from "./fake-http-server.js";
import { makePlugin } from "./plugin.js";

export const TOOL = { name: "t", description: "test tool", inputSchema: { type: "object", properties: {} } };

/**
 * The plugin `x` with a server behind a URL, opened in process.
 *
 * @param {import("node:test").TestContext} t
 * @param {object} mcp
 * @param {object} [manifest]
 * @param {import("../../bindings-node/index.d.ts").TrustSettings} [trust]
 */
export async function open(t, mcp, manifest = {}, trust = undefined) {
	const door = await DOORS["in process"](t, makePlugin(t, { scenario: {}, manifest: { mcp, ...manifest }, trust }));
	return {
		call: (toolName = "t", args = {}) => door.call("agent_tools_x_call", { toolName, arguments: args }),
		discover: (args = {}) => door.call("agent_tools_x_discover", args),
		door,
	};
}

/**
 * @param {import("node:test").TestContext} t
 * @param {any} scenario
 * @param {{path?: string, mcp?: object, manifest?: object, trust?: import("../../bindings-node/index.d.ts").TrustSettings}} [options]
 */
export async function serve(t, scenario, { path = "/mcp", mcp = {}, manifest = {}, trust } = {}) {
	const server = await new FakeHttpServer({ tools: [TOOL], ...scenario }).listen(t);
	const runtime = await open(t, { url: `http://127.0.0.1:${server.port}${path}`, ...mcp }, manifest, trust);
	return { server, ...runtime };
}

/** A discover in a process of its own that logs everything. */
export async function discoverInProcess(t, mcp) {
	const plugin = makePlugin(t, { scenario: {}, manifest: { mcp } });
	const env = { ...environment(plugin), AGENT_TOOLS_LOG: "trace" };
	const { port, output } = await startHttp(t, { env });
	const body = request("legacy", 1, "tools/call", { name: "agent_tools_x_discover", arguments: {} });
	const { text } = await send({ port, headers: headers("legacy", "tools/call"), body });
	return { answer: text, log: output() };
}

/** A server of the older transport: a stream that names where messages go, and 405 to whoever posts to it. */
export async function olderServer(t, { endpoint = "/messages?id=1" } = {}) {
	/** @type {Set<import("node:http").ServerResponse>} */
	const streams = new Set();
	const server = new FakeHttpServer({
		tools: [TOOL],
		rules: [
			{
				when: { verb: "GET", path: "/sse" },
				action: (_, response) => {
					events(response).write(`event: endpoint\ndata: ${endpoint}\n\n`);
					streams.add(response);
					response.on("close", () => streams.delete(response));
				},
			},
			{ when: { path: "/sse" }, status: 405 },
			{
				when: { path: "/messages" },
				action: ({ message }, response) => {
					response.writeHead(202).end("Accepted");
					if (message.id === undefined) return;
					const answer = { jsonrpc: "2.0", ...server.answerTo(message) };
					for (const stream of streams) stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
				},
			},
		],
	});
	await server.listen(t);
	return Object.assign(server, { dropStreams: () => streams.forEach((stream) => void stream.destroy()) });
}

/** A server on one loopback address, whose port nobody has on the other. */
export async function listenOnlyOn(t, host) {
	const other = host === "::1" ? "127.0.0.1" : "::1";
	for (;;) {
		const server = await new FakeHttpServer({ tools: [TOOL] }).listen(t, host);
		if (await isFree(other, server.port)) return server;
	}
}

/** @returns {Promise<boolean>} */
function isFree(host, port) {
	return new Promise((resolve) => {
		const server = net.createServer();
		server.once("error", () => resolve(false));
		server.listen(port, host, () => server.close(() => resolve(true)));
	});
}

/** A port that is free on both loopback addresses. */
export async function freePort() {
	const server = net.createServer().listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = /** @type {net.AddressInfo} */ (server.address());
	await new Promise((resolve) => server.close(resolve));
	return (await isFree("::1", port)) ? port : freePort();
}

/** A POST of which every byte is a segment of its own. */
export async function sendByteByByte(port, body) {
	const bytes = Buffer.from(body);
	const socket = net.connect(port, "127.0.0.1").setNoDelay(true);
	const head = Object.entries({ host: `127.0.0.1:${port}`, ...headers("legacy", "x"), connection: "close" });
	const lines = ["POST /mcp HTTP/1.1", ...head.map(([name, value]) => `${name}: ${value}`)];
	socket.write(`${lines.join("\r\n")}\r\ncontent-length: ${bytes.length}\r\n\r\n`);
	for (const byte of bytes) {
		socket.write(Buffer.of(byte));
		await new Promise(setImmediate);
	}
	return Buffer.concat(await Array.fromAsync(socket)).toString();
}
