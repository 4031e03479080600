// Clients that take up more than their share: slow ones, silent ones, many at once.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { send } from "../harness/http-request.js";
import { fixturePlugin } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";

const LIST = JSON.stringify(request("legacy", 1, "tools/list"));
const HEAD = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
const WHOLE = `${HEAD}content-length: ${LIST.length}\r\n\r\n${LIST}`;

/** A server of this process. */
async function serve(t, options = {}) {
	const runtime = await Runtime.open({ pluginDirs: [fixturePlugin("notes")], cache: false });
	t.after(() => runtime.close());
	const { port } = await runtime.serveHttp({ port: 0, ...options });
	return port;
}

/** A raw connection; `said` is all that the server has answered, `ended` settles when the server has closed it. */
async function raw(t, port) {
	const socket = connect(port, "127.0.0.1");
	t.after(() => socket.destroy());
	const ended = new Promise((resolve) => socket.once("close", resolve));
	const client = { socket, said: "", ended };
	socket.on("data", (chunk) => {
		client.said += chunk;
	});
	// A server that closes while the client writes.
	socket.on("error", () => {});
	await once(socket, "connect");
	return client;
}

async function answered(client) {
	while (!/\r\n\r\n/.test(client.said)) {
		await Promise.race([once(client.socket, "data"), client.ended]);
		assert.ok(client.said !== "" || !client.socket.destroyed, "the server left without an answer");
	}
	return Number(client.said.split(" ")[1]);
}

const list = (port) => send({ port, headers: headers("legacy", "tools/list"), body: LIST });

describe("slow clients are dropped", () => {
	for (const [what, text, status] of /** @type {[string, string, number | undefined][]} */ ([
		["who says nothing", "", undefined],
		["who never ends the head of a request", `${HEAD}x-slow: `, undefined],
		["who never sends the body", `${HEAD}content-length: 10\r\n\r\n{`, 408],
		["who never ends a chunked body", `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`, 408],
	])) {
		test(what, { timeout: 30_000 }, async (t) => {
			const port = await serve(t, { clientTimeoutMs: 200 });
			const client = await raw(t, port);
			client.socket.write(text);
			await client.ended;
			const said = client.said === "" ? undefined : Number(client.said.split(" ")[1]);
			// Where there was no request there may be an answer to none.
			if (status) assert.equal(said, status, client.said);
			else assert.ok(said === undefined || said === 408, client.said);
			assert.equal((await list(port)).status, 200);
		});
	}

	test("who sends a byte now and then", { timeout: 30_000 }, async (t) => {
		const port = await serve(t, { clientTimeoutMs: 400 });
		const client = await raw(t, port);
		client.socket.write(HEAD);
		const trickle = setInterval(() => client.socket.write("x"), 20);
		t.after(() => clearInterval(trickle));
		await client.ended;
		assert.equal((await list(port)).status, 200);
	});

	test("who keeps a connection and asks nothing more", { timeout: 30_000 }, async (t) => {
		const port = await serve(t, { clientTimeoutMs: 200 });
		const client = await raw(t, port);
		client.socket.write(WHOLE);
		assert.equal(await answered(client), 200);
		await client.ended;
	});

	test("who takes nothing of a long answer", { timeout: 60_000 }, async (t) => {
		const port = await serve(t, { clientTimeoutMs: 300, maxConnections: 1 });
		const client = await raw(t, port);
		client.socket.pause();
		// Requests whose answers are more than all buffers in between hold.
		const id = "x".repeat(1024 * 1024);
		const body = JSON.stringify({ ...request("legacy", 1, "ping"), id });
		for (let n = 0; n < 24; n++) client.socket.write(`${HEAD}content-length: ${body.length}\r\n\r\n${body}`);
		// The only place is free again when the server has given the client up.
		while ((await list(port).catch(() => ({ status: 0 }))).status !== 200) await new Promise(setImmediate);
	});
});

describe("floods are refused", () => {
	for (const [what, head] of [
		["many headers", Array.from({ length: 200 }, (_, n) => `x-${n}: 1\r\n`).join("")],
		["a long header", `x-long: ${"x".repeat(100 * 1024)}\r\n`],
		["many long headers", Array.from({ length: 50 }, (_, n) => `x-${n}: ${"x".repeat(4096)}\r\n`).join("")],
	]) {
		test(what, async (t) => {
			const port = await serve(t);
			const client = await raw(t, port);
			client.socket.write(`${HEAD}${head}content-length: ${LIST.length}\r\n\r\n${LIST}`);
			await client.ended;
			// The answer may be lost where the server closes before all was sent; it is never another one.
			if (client.said !== "") assert.match(client.said, /^HTTP\/1\.1 431 /);
			assert.equal((await list(port)).status, 200);
		});
	}

	test("connections over the limit are told so, and there is room again when one ends", {
		timeout: 30_000,
	}, async (t) => {
		const port = await serve(t, { maxConnections: 2 });
		const clients = [await raw(t, port), await raw(t, port)];
		for (const client of clients) {
			client.socket.write(WHOLE);
			assert.equal(await answered(client), 200);
		}
		const refused = await Promise.all(Array.from({ length: 20 }, () => raw(t, port)));
		for (const client of refused) {
			client.socket.write(WHOLE);
			assert.equal(await answered(client), 503, client.said);
			assert.match(client.said, /\r\nretry-after: \d+\r\n/);
			client.socket.destroy();
		}
		// Those that were there go on, and free their place.
		clients[0].said = "";
		clients[0].socket.write(WHOLE);
		assert.equal(await answered(clients[0]), 200);
		clients[1].socket.destroy();
		while ((await list(port).catch(() => ({ status: 0 }))).status !== 200) await new Promise(setImmediate);
	});

	test("requests over the limit are told so", { timeout: 30_000 }, async (t) => {
		const port = await serve(t, { maxRequests: 1 });
		const slow = await raw(t, port);
		// It is under way as long as its body is, which the server asks for by then.
		slow.socket.write(`${HEAD}expect: 100-continue\r\ncontent-length: ${LIST.length}\r\n\r\n`);
		assert.equal(await answered(slow), 100);
		slow.said = "";
		const refused = await list(port);
		assert.equal(refused.status, 503);
		assert.match(String(refused.headers["retry-after"]), /^\d+$/);
		assert.match(refused.json().error.message, /too many requests/);
		slow.socket.write(LIST);
		assert.equal(await answered(slow), 200);
		while ((await list(port)).status !== 200) await new Promise(setImmediate);
	});
});

describe("who may ask", () => {
	const TOKEN = "a-long-and-random-token";
	const ask = async (t, port, lines) => {
		const client = await raw(t, port);
		client.socket.write(
			`POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\ncontent-type: application/json\r\ncontent-length: ${LIST.length}\r\n\r\n${LIST}`,
		);
		return answered(client);
	};

	test("only the one right token counts", async (t) => {
		const port = await serve(t, { token: TOKEN });
		for (const [lines, status] of /** @type {[string[], number][]} */ ([
			[[`authorization: Bearer ${TOKEN}`], 200],
			[[`authorization: BEARER ${TOKEN}`], 200],
			[[`authorization: Basic ${TOKEN}`], 401],
			[[`authorization: Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}`], 401],
			[[`authorization: Bearer ${TOKEN}`, "authorization: Bearer other"], 401],
			[["authorization: Bearer other", `authorization: Bearer ${TOKEN}`], 401],
			[[`authorization: Bearer ${TOKEN}`, `authorization: Bearer ${TOKEN}`], 401],
			[[`authorization: Bearer other, Bearer ${TOKEN}`], 401],
			[[`authorization: Bearer ${TOKEN.slice(0, -1)}`], 401],
			[[`authorization: Bearer`], 401],
			[[`x-authorization: Bearer ${TOKEN}`], 401],
			[[], 401],
		])) {
			assert.equal(await ask(t, port, ["host: localhost", ...lines]), status, lines.join());
		}
	});

	test("a page whose name points here is refused, and so is whatever is unclear", async (t) => {
		const port = await serve(t);
		for (const [lines, status] of /** @type {[string[], number][]} */ ([
			[[`host: localhost:${port}`], 200],
			[[`host: rebound.example:${port}`, `origin: http://rebound.example:${port}`], 403],
			[["host: localhost", "host: localhost"], 403],
			[["host: localhost", "host: rebound.example"], 403],
			[["host: localhost."], 403],
			[["host: [::1]"], 200],
			[["host: localhost", "origin: null"], 403],
			[["host: localhost", "origin: http://localhost", "origin: http://evil.example"], 403],
			[["host: localhost", "origin: http://evil.example@localhost"], 403],
			[["x-forwarded-host: localhost", "host: evil.example"], 403],
		])) {
			assert.equal(await ask(t, port, lines), status, lines.join());
		}
		const client = await raw(t, port);
		client.socket.write(WHOLE.replace("/mcp", "http://rebound.example/mcp"));
		assert.equal(await answered(client), 403);
	});

	test("no page of another origin is let to read an answer", async (t) => {
		const page = "https://app.example";
		const port = await serve(t, { allowedOrigins: [page] });
		for (const method of ["POST", "OPTIONS", "GET"]) {
			const reply = await send({
				port,
				method,
				headers: { ...headers("legacy", "tools/list"), origin: page, "access-control-request-headers": "content-type" },
				body: method === "POST" ? LIST : undefined,
			});
			assert.equal(reply.status, method === "POST" ? 200 : 405);
			const cors = Object.keys(reply.headers).filter((name) => name.startsWith("access-control"));
			assert.deepEqual(cors, [], method);
		}
	});

	for (const [what, options] of /** @type {[string, Record<string, unknown>][]} */ ([
		["an empty token", { token: "" }],
		["a blank token", { token: "  " }],
		["all addresses without a token", { host: "0.0.0.0" }],
		["all IPv6 addresses without a token", { host: "::" }],
	])) {
		test(`${what}: nothing is listened on`, async (t) => {
			await assert.rejects(serve(t, options), { code: "CONFIG_INVALID" });
		});
	}
});

test("a client reads on in its own long results only", async (t) => {
	const port = await serve(t);
	const call = async (session, name, args) => {
		const params = { name, arguments: args };
		const reply = await send({
			port,
			headers: { ...headers("legacy", "tools/call", params), ...(session && { "mcp-session-id": session }) },
			body: request("legacy", 1, "tools/call", params),
		});
		return JSON.parse(reply.json().result.content[0].text);
	};
	const long = { toolName: "echo", arguments: { message: "long ".repeat(40_000) } };
	const result = await call("a", "agent_tools_notes_call", long);
	const [id] = JSON.stringify(result).match(/r[0-9a-f]{32}/) ?? [];
	assert.ok(id, JSON.stringify(result).slice(0, 500));
	const readMore = { toolName: "read_more", arguments: { id, page: 1 } };
	for (const session of ["b", "A", ""]) {
		assert.equal((await call(session, "agent_tools_notes_call", readMore)).code, "RESULT_GONE", session);
	}
	assert.match((await call("a", "agent_tools_notes_call", readMore)).text, /^long long/);
});
