// The runtime as a client of MCP servers behind a URL.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startHttp } from "../harness/cli-http.js";
import { initialize, request } from "../harness/protocol.js";
import { DOORS, environment } from "./doors.js";
import { events, FakeHttpServer } from "./fake-http-server.js";
import {
	discoverInProcess,
	freePort,
	listenOnlyOn,
	olderServer,
	open,
	sendByteByByte,
	serve,
	TOOL,
} from "./http-upstreams.js";
import { makePlugin } from "./plugin.js";
import { until } from "./raw-doors.js";
import { inputOf } from "./run-case.js";

/** @param {import("./doors.js").Answer} answer */
function assertOk(answer) {
	assert.equal(answer.isError, false, answer.text);
	assert.match(answer.text, /ok/);
}

describe("the runtime as a client of HTTP servers", { timeout: 120_000 }, () => {
	test("C048 events of an upstream are exact, cut anywhere and with every end of a line", async (t) => {
		const text = "日本—🎉";
		for (const end of ["\n", "\r\n", "\r"]) {
			const action = async ({ message }, response) => {
				const answer = { jsonrpc: "2.0", id: message.id, result: { content: [{ type: "text", text }] } };
				const [first, second] = JSON.stringify(answer, null, 1).split(/\n(?= "result")/);
				const lines = [
					": comment",
					"event: message",
					`data:${first?.replaceAll("\n", "")}`,
					`data: ${second?.replaceAll("\n", "")}`,
					"",
					"",
				];
				events(response);
				response.socket?.setNoDelay(true);
				// One byte at a time: inside the character, and between CR and LF.
				for (const byte of Buffer.from(lines.join(end))) {
					response.write(Buffer.of(byte));
					await new Promise(setImmediate);
				}
				response.end();
			};
			const { call } = await serve(t, { rules: [{ when: { rpc: "tools/call" }, action }] });
			const answer = await call();
			assert.ok(answer.text.includes(text), answer.text);
		}
	});

	test("C048 a request that comes byte by byte is read exactly", async (t) => {
		const { port } = await startHttp(t, { env: environment(makePlugin(t, { scenario: {} })) });
		const message = initialize();
		message.params.clientInfo = { name: inputOf("C048").raw_body_chunks.match(/'(.*)'/)[1], version: "1" };
		// A tool that does not exist is named in the answer, and so is seen whether its name came through.
		const named = request("legacy", 1, "tools/call", { name: message.params.clientInfo.name, arguments: {} });
		for (const [body, expected] of [
			[message, /"protocolVersion"/],
			[named, /日本—🎉/],
		]) {
			assert.match(await sendByteByByte(port, JSON.stringify(body)), /** @type {RegExp} */ (expected));
		}
	});

	test("C073 a forgotten session is renewed once, and the call repeated once", async (t) => {
		const { rules } = inputOf("C073");
		const { server, call } = await serve(t, { rules });
		assertOk(await call());
		server.forgetSessions();
		assertOk(await call());
		assert.equal(server.sent("initialize").length, 2);
		assert.equal(server.sent("initialize")[1]?.headers["mcp-session-id"], undefined);
		assert.equal(server.sent("notifications/initialized").length, 2);
		assert.equal(server.sent("tools/call").length, 3);
		assertOk(await call());
		assert.equal(server.sent("initialize").length, 2);
		assert.equal(server.sent("tools/call").length, 4);
	});

	test("C073 concurrent calls share one new session", async (t) => {
		const { server, call } = await serve(t, { rules: inputOf("C073").rules });
		assertOk(await call());
		server.forgetSessions();
		for (const answer of await Promise.all(Array.from({ length: 20 }, () => call()))) assertOk(answer);
		assert.equal(server.sent("initialize").length, 2);
		assert.ok(server.sent("tools/call").length <= 41, String(server.sent("tools/call").length));
	});

	for (const readOnlyHint of [false, true]) {
		test(`C073 a second refusal is an error, no loop (read-only: ${readOnlyHint})`, async (t) => {
			const [{ status, body }] = inputOf("C073").rules;
			const rules = [{ when: { rpc: "tools/call" }, status, body }];
			const tools = [{ ...TOOL, annotations: { readOnlyHint } }];
			const { server, call } = await serve(t, { rules, tools });
			const answer = await call();
			assert.equal(answer.code, "UPSTREAM_PROTOCOL", answer.text);
			assert.match(answer.text, /session/i);
			assert.equal(server.sent("initialize").length, 2);
			assert.equal(server.sent("tools/call").length, 2);
		});
	}

	test("C073 a 400 that speaks of the session is the same", async (t) => {
		const rule = { when: { rpc: "tools/call", session: "old" }, status: 400, body: "Bad Request: No valid session ID" };
		const { server, call } = await serve(t, { rules: [rule] });
		assertOk(await call());
		server.forgetSessions();
		assertOk(await call());
		assert.equal(server.sent("initialize").length, 2);
	});

	test("C073 the tools of a restarted server are listed anew", async (t) => {
		const tools = [TOOL];
		const trust = /** @type {const} */ ({ definitions: "off" });
		const { server, call, discover } = await serve(t, { rules: inputOf("C073").rules, tools }, { trust });
		assertOk(await call());
		server.forgetSessions();
		tools.push({ ...TOOL, name: "only_in_the_new_one" });
		assertOk(await call());
		assert.match((await discover()).text, /only_in_the_new_one/);
	});

	test("C073 what was under way when its session was renewed has an unknown outcome", async (t) => {
		const begin = { when: { rpc: "tools/call", nth: 1 }, action: (_, response) => events(response).flushHeaders() };
		const { server, call } = await serve(t, { rules: [begin, ...inputOf("C073").rules] });
		const underWay = call();
		await until(() => server.sent("tools/call").length === 1);
		server.forgetSessions();
		assertOk(await call());
		assert.equal((await underWay).code, "OUTCOME_UNKNOWN", (await underWay).text);
		assert.equal(server.sent("initialize").length, 2);
		assert.equal(server.sent("tools/call").length, 3);
	});

	for (const rule of inputOf("C075").rules) {
		test(`C075 a GET stream refused with ${rule.status} is harmless`, async (t) => {
			const { server, call } = await serve(t, { rules: [rule] });
			assertOk(await call());
			await until(() => server.sent("GET").length > 0);
			await sleep(1500);
			assertOk(await call());
			assert.equal(server.sent("GET").length, 1);
			assert.equal(server.sent("initialize").length, 1);
		});
	}

	test("C075 a server that ends every GET stream is left alone", async (t) => {
		for (const end of ["end", "destroy"]) {
			const action = (_, response) => {
				events(response).write("retry: 0\n\n");
				setTimeout(() => response[end](), 20);
			};
			const { server, call } = await serve(t, { rules: [{ when: { verb: "GET" }, action }] });
			assertOk(await call());
			await until(() => server.sent("GET").length >= 5);
			await sleep(1500);
			assertOk(await call());
			assert.equal(server.sent("GET").length, 5);
		}
	});

	test("C077 an error is told as it is, and the older transport is not tried", async (t) => {
		const { server, discover } = await serve(t, { rules: inputOf("C077").rules });
		const answer = await discover();
		assert.equal(answer.isError, true);
		assert.match(answer.text, /HTTP 500/);
		assert.match(answer.text, /boom db/);
		assert.deepEqual(server.sent("GET"), []);
	});

	test("C077 the older transport is used where it is spoken, and remembered", async (t) => {
		const server = await olderServer(t);
		const { call } = await open(t, { url: `http://127.0.0.1:${server.port}/sse` });
		assertOk(await call());
		assert.equal(server.sent("POST").filter(({ path }) => path === "/sse").length, 2);
		server.dropStreams();
		await sleep(200);
		assertOk(await call());
		assert.equal(server.sent("initialize").filter(({ path }) => path !== "/sse").length, 2);
		assert.equal(server.sent("POST").filter(({ path }) => path === "/sse").length, 2);
	});

	for (const status of [401, 403, 429]) {
		test(`C077 a ${status} is no reason to try the older transport`, async (t) => {
			const { server, discover } = await serve(t, { rules: [{ when: { rpc: "initialize" }, status, body: "no" }] });
			const answer = await discover();
			assert.equal(answer.code, status === 429 ? "PLUGIN_UNAVAILABLE" : "UPSTREAM_AUTH", answer.text);
			assert.deepEqual(server.sent("GET"), []);
		});
	}

	test("C077 a refusal of anything but initialize is no reason either", async (t) => {
		const rules = [{ when: { rpc: "notifications/initialized" }, status: 400, body: "not now" }];
		const { server, discover } = await serve(t, { rules });
		assert.match((await discover()).text, /HTTP 400.*not now/);
		assert.deepEqual(server.sent("GET"), []);
	});

	test("C077 both causes are told, the first one first", async (t) => {
		const rules = [
			{ when: { verb: "POST" }, status: 405, body: "no posts here" },
			{ when: { verb: "GET" }, status: 404, body: "no stream here" },
		];
		const { server, discover } = await serve(t, { rules });
		const { text } = await discover();
		assert.match(text, /HTTP 405.*no posts here.*HTTP 404.*no stream here/);
		assert.equal(server.sent("GET").length, 1);
	});

	test("C079 both types are accepted in every request, whatever is configured", async (t) => {
		const { rules, config_headers } = inputOf("C079");
		const { server, call, discover } = await serve(t, { rules }, { mcp: { headers: config_headers } });
		assert.equal((await discover()).isError, false);
		assertOk(await call());
		server.forgetSessions();
		assertOk(await call());
		const accepted = ({ headers }) => String(headers.accept).split(/, */);
		assert.ok(server.sent("POST").length >= 8);
		for (const sent of server.sent("POST")) {
			assert.deepEqual(accepted(sent), ["application/json", "text/event-stream"], sent.rpc);
		}
		await until(() => server.sent("GET").length === 2);
		for (const sent of server.sent("GET")) assert.deepEqual(accepted(sent), ["text/event-stream"]);
		const first = server.requests.findIndex(({ rpc }) => rpc === "initialize");
		for (const { rpc, headers } of server.requests.slice(first + 1)) {
			if (rpc !== "initialize") assert.equal(headers["mcp-protocol-version"], "2025-11-25", rpc);
		}
	});

	for (const status of [307, 308]) {
		test(`C081 a ${status} within the origin is followed whole, and remembered`, async (t) => {
			const { rules, url_path } = inputOf("C081");
			const redirect = { ...rules[0], status };
			const mcp = { headers: { "X-Key": "k-1" } };
			const { server, call, discover } = await serve(t, { rules: [redirect] }, { path: url_path, mcp });
			assert.equal((await discover()).isError, false);
			assertOk(await call());
			assert.equal(server.sent("POST").filter(({ path }) => path === "/mcp").length, 1);
			const arrived = server.sent("tools/call");
			assert.equal(arrived.length, 1);
			assert.equal(arrived[0].path, "/mcp/");
			assert.equal(arrived[0].message.params.name, "t");
			for (const { headers } of server.requests) assert.equal(headers["x-key"], "k-1");
		});
	}

	test("C081 five redirects are followed, six are not", async (t) => {
		for (const [hops, works] of [
			[5, true],
			[6, false],
		]) {
			const action = ({ path }, response) => {
				const next = Number(path.slice("/hop".length)) - 1;
				response.writeHead(307, { location: next > 0 ? `hop${next}` : "/mcp" }).end();
			};
			const rules = Array.from({ length: Number(hops) }, (_, hop) => ({ when: { path: `/hop${hop + 1}` }, action }));
			const { discover } = await serve(t, { rules }, { path: `/hop${hops}` });
			const answer = await discover();
			assert.equal(answer.isError, !works, answer.text);
			if (!works) assert.match(answer.text, /redirected more than 5 times/);
		}
	});

	test("C083 a redirect to another origin is refused, and no secret is in a log", async (t) => {
		const { rules, config_headers } = inputOf("C083");
		const other = await new FakeHttpServer().listen(t);
		const location = rules[0].headers.location.replace("{p2}", String(other.port));
		for (const target of [location, `http://localhost:${other.port}/steal`, `https://127.0.0.1:${other.port}/steal`]) {
			const rule = { ...rules[0], headers: { location: target } };
			const server = await new FakeHttpServer({ tools: [TOOL], rules: [rule] }).listen(t);
			const mcp = { url: `http://127.0.0.1:${server.port}/mcp`, headers: config_headers };
			const output = await discoverInProcess(t, mcp);
			assert.match(output.answer, /another origin/);
			assert.match(output.answer, /nothing was sent there/);
			assert.ok(output.log.includes("agent_tools_runtime"), "nothing was logged");
			assert.doesNotMatch(output.answer + output.log, /SECRET/);
			assert.equal(server.sent("POST")[0]?.headers["x-api-key"], "k-SECRET");
		}
		assert.deepEqual(other.requests, []);
	});

	test("C083 an `endpoint` event of another origin is refused too", async (t) => {
		const other = await new FakeHttpServer().listen(t);
		const server = await olderServer(t, { endpoint: `http://127.0.0.1:${other.port}/messages` });
		const { discover } = await open(t, {
			url: `http://127.0.0.1:${server.port}/sse`,
			transport: "sse",
			headers: inputOf("C083").config_headers,
		});
		const answer = await discover();
		assert.match(answer.text, /another origin/);
		assert.doesNotMatch(answer.text, /SECRET/);
		assert.deepEqual(other.requests, []);
	});

	test("C083 the same rule holds for REST adapters", async (t) => {
		const other = await new FakeHttpServer().listen(t);
		const { rules, config_headers } = inputOf("C083");
		const location = rules[0].headers.location.replace("{p2}", String(other.port));
		const server = await new FakeHttpServer({ rules: [{ ...rules[0], headers: { location } }] }).listen(t);
		const plugin = makePlugin(t, { scenario: {} });
		const document = { openapi: "3.0.0", info: {}, paths: { "/do": { post: { operationId: "do_it" } } } };
		writeFileSync(`${plugin.folder}/api.json`, JSON.stringify(document));
		const openapi = {
			document: "./api.json",
			baseUrl: `http://127.0.0.1:${server.port}`,
			headers: config_headers,
		};
		const manifest = { name: "agent-tools-plugin-x", prefix: "x", requireConfirm: false, openapi };
		writeFileSync(`${plugin.folder}/plugin.json`, JSON.stringify(manifest));
		const door = await DOORS["in process"](t, plugin);
		const { text } = await door.call("agent_tools_x_call", { toolName: "do_it", arguments: {} });
		assert.equal(server.sent("POST").length, 1, text);
		assert.doesNotMatch(text, /SECRET/);
		assert.deepEqual(other.requests, []);
	});

	test("C085 a stream that breaks is resumed once, after its last event", async (t) => {
		const { rules, tools } = inputOf("C085");
		const resume = {
			when: { verb: "GET" },
			action: ({ headers }, response) => {
				if (!headers["last-event-id"]) return response.writeHead(405).end();
				events(response);
				response.end(
					`id: 8\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...server.answerTo(server.sent("tools/call")[0].message) })}\n\n`,
				);
			},
		};
		const { server, call } = await serve(t, { rules: [rules[0], resume], tools });
		assertOk(await call());
		const resumed = server.sent("GET").filter(({ headers }) => headers["last-event-id"]);
		assert.deepEqual(
			resumed.map(({ headers }) => headers["last-event-id"]),
			["7"],
		);
		assert.equal(server.sent("tools/call").length, 1);
	});

	for (const [what, refuse] of [
		["a refused resume", (response) => response.writeHead(405).end()],
		["a resumed stream that breaks again", (response) => events(response).end(": nothing\n\n")],
	]) {
		test(`C085 ${what} leaves the outcome unknown, and soon`, async (t) => {
			const { rules, tools } = inputOf("C085");
			const resume = {
				when: { verb: "GET" },
				action: ({ headers }, response) =>
					headers["last-event-id"] ? refuse(response) : response.writeHead(405).end(),
			};
			const { server, call } = await serve(t, { rules: [rules[0], resume], tools });
			await assertUnknownSoon(call, server);
			assert.equal(server.sent("GET").filter(({ headers }) => headers["last-event-id"]).length, 1);
		});
	}

	test("C085 without an id the outcome is unknown, and soon", async (t) => {
		const { rules, tools } = inputOf("C085");
		const { server, call } = await serve(t, { rules: [{ ...rules[0], sse: rules[0].sse.slice(1) }], tools });
		await assertUnknownSoon(call, server);
	});

	for (const [what, silence] of [
		["a stream of comments", {}],
		["a silent answer", { action: () => {} }],
	])
		test(`C085 ${what} does not outlive the deadline, and the call is cancelled`, async (t) => {
			const { rules, tools, client } = inputOf("C085");
			const rule = { ...rules[1], ...silence, when: { rpc: "tools/call" } };
			const manifest = { timeoutMs: client[1].timeout_ms };
			const { server, call } = await serve(t, { rules: [rule], tools }, { manifest });
			const began = Date.now();
			const answer = await call();
			assert.equal(answer.code, "OUTCOME_UNKNOWN", answer.text);
			assert.match(answer.text, /1.5 s/);
			assert.ok(Date.now() - began < 10_000);
			await until(() => server.sent("notifications/cancelled").length === 1);
			const [called] = server.sent("tools/call");
			assert.equal(server.sent("notifications/cancelled")[0].message.params.requestId, called.message.id);
			assert.equal(server.sent("tools/call").length, 1);
		});

	test("C087 a configured header is read again for each request, and after a 401", async (t) => {
		const { rules } = inputOf("C087");
		const variable = "E2E_HTTP_CLIENT_TOKEN";
		t.after(() => delete process.env[variable]);
		process.env[variable] = "t1";
		// The value changes while a request is under way that is refused for the old one.
		const expiring = (_, response) => {
			process.env[variable] = "t2";
			response.writeHead(401).end();
		};
		const when = { rpc: "tools/call", header: "authorization: Bearer t1" };
		const scenario = {
			rules: [
				{ when, action: expiring },
				{ ...rules[0], when: { header: "authorization: Bearer t3" } },
			],
		};
		const mcp = { headers: { Authorization: `Bearer \${${variable}}` } };
		const { server, call, discover } = await serve(t, scenario, { mcp });
		assertOk(await call());
		const used = () => server.sent("tools/call").map(({ headers }) => headers.authorization);
		assert.deepEqual(used(), ["Bearer t1", "Bearer t2"]);
		process.env[variable] = "t3";
		const refused = await call();
		assert.equal(refused.code, "UPSTREAM_AUTH", refused.text);
		assert.equal(used().length, 3);
		assert.match((await discover()).text, /test tool/);
		process.env[variable] = "t4";
		assertOk(await call());
		assert.equal(server.sent("initialize").length, 1);
	});

	for (const host of ["127.0.0.1", "::1"]) {
		test(`C089 localhost reaches a server on ${host} only`, async (t) => {
			const server = await listenOnlyOn(t, host);
			const { call } = await open(t, { url: inputOf("C089").url.replace("{p}", String(server.port)) });
			assertOk(await call());
		});
	}

	test("C089 an IPv6 address in a URL works, and a refusal lists every address that was tried", async (t) => {
		const server = await new FakeHttpServer({ tools: [TOOL] }).listen(t, "::1");
		assertOk(await (await open(t, { url: `http://[::1]:${server.port}/mcp` })).call());
		const closed = await freePort();
		const { text } = await (await open(t, { url: `http://localhost:${closed}/mcp` })).discover();
		assert.ok(text.includes(`127.0.0.1:${closed}`) && text.includes(`[::1]:${closed}`), text);
	});

	test("a server that is silent to what it does not know is asked in the older way", async (t) => {
		const silent = { when: { rpc: "server/discover" }, action: () => {} };
		const { call } = await serve(t, { rules: [silent] });
		assertOk(await call());
	});

	test("an answer that is no answer, or an unreadable one, ends its call", async (t) => {
		for (const [body, code, words] of [
			["<html>login</html>", "OUTCOME_UNKNOWN", /text\/html/],
			['{"jsonrpc":"2.0","id":ID,"result":{"a":tru}}', "UPSTREAM_PROTOCOL", /cannot be read/],
			['{"jsonrpc":"2.0","id":"ID","result":{"content":[{"type":"text","text":"ok"}]}}', undefined, /ok/],
			['[{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"ok"}]}}]', undefined, /ok/],
		]) {
			for (const type of ["text/html", "text/event-stream"]) {
				const action = ({ message }, response) => {
					const text = String(body).replace("ID", message.id);
					response.writeHead(200, { "content-type": type });
					response.end(type === "text/html" ? text : `data: ${text}\n\n`);
				};
				const { call } = await serve(t, { rules: [{ when: { rpc: "tools/call" }, action }] });
				const answer = await call();
				assert.equal(answer.code, code, answer.text);
				if (type === "text/html") assert.match(answer.text, /** @type {RegExp} */ (words));
			}
		}
	});

	test("C128 user, password and query of a URL are in no message and no log", async (t) => {
		const { url } = inputOf("C128").config;
		const refusing = [
			{ status: 500, body: "bad key CANARY-7" },
			{ status: 307, headers: { location: "http://other.example/mcp?k=CANARY-7" } },
			{ status: 404, body: "no key CANARY-7" },
		];
		const outputs = [];
		for (const rule of refusing) {
			const server = await new FakeHttpServer({ rules: [{ when: {}, ...rule }] }).listen(t);
			outputs.push(await discoverInProcess(t, { url: url.replace("{p}", String(server.port)) }));
			assert.match(String(server.requests[0]?.headers.authorization), /^Basic /);
		}
		outputs.push(await discoverInProcess(t, { url: url.replace("{p}", String(await freePort())) }));
		const basic = Buffer.from("user:CANARY-6").toString("base64");
		for (const { answer, log } of outputs) {
			assert.ok(log.includes("agent_tools_runtime"), "nothing was logged");
			for (const secret of ["CANARY", basic]) assert.ok(!(answer + log).includes(secret), answer + log);
		}
		assert.match(outputs[0].answer, /bad key <redacted>/);
		assert.match(outputs[3].answer, /tavilyApiKey=\*\*\*/);
	});
});

/** The call ends within seconds, is not sent again, and its outcome is unknown. */
async function assertUnknownSoon(call, server) {
	const began = Date.now();
	const answer = await call();
	assert.equal(answer.code, "OUTCOME_UNKNOWN", answer.text);
	assert.ok(Date.now() - began < 5000);
	assert.equal(server.sent("tools/call").length, 1);
}
