import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { test } from "node:test";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { headers, request } from "../harness/protocol.js";
import { collector } from "./collector.js";
import { call, openStdio, ownLog } from "./recorded.js";

const LIMIT = { timeout: 60_000 };

/** Ends the session, which sends what has not been sent. @param {import("../harness/stdio-session.js").StdioSession} session */
async function finish(session) {
	session.child.stdin.end();
	await session.ended;
}

test("a collector gets a span for each call, with those of a skill below it, and no arguments", LIMIT, async (t) => {
	const log = ownLog(t);
	const { url, requests, spans } = await collector(t);
	mkdirSync(path.join(log.home, "config"));
	const otlp = { endpoint: url, headers: { "x-key": `\${COLLECTOR_KEY}` } };
	writeFileSync(path.join(log.home, "config/agent-tools.json"), JSON.stringify({ telemetry: { otlp } }));
	const session = await openStdio(t, { ...log.env, COLLECTOR_KEY: "k1" }, { cwd: log.home });
	const run = { skill: "rewrite", arguments: { title: "canary-a" }, confirm: true };
	const { result } = await session.request("tools/call", { name: "agent_tools_notes_run_skill", arguments: run });
	await session.request("tools/call", call("echo", { message: "canary-b" }));
	await session.request("tools/call", call("write_note", { title: "canary-c" }));
	await session.request("tools/call", { name: "agent_tools_notes_discover", arguments: { query: "canary-d" } });
	await finish(session);

	const all = spans();
	assert.deepEqual(all.map(({ name }) => name).sort(), [
		"execute_tool echo",
		"execute_tool rewrite",
		"execute_tool write_note",
		"execute_tool write_note",
	]);
	const [skill] = all.filter(({ name }) => name.endsWith("rewrite"));
	const inner = all.find(({ parentSpanId }) => parentSpanId === skill.spanId);
	assert.equal(inner?.name, "execute_tool write_note");
	assert.equal(inner.traceId, skill.traceId);
	assert.ok(!skill.parentSpanId);
	assert.ok(BigInt(inner.startTimeUnixNano) >= BigInt(skill.startTimeUnixNano));
	assert.deepEqual(skill.attributes, {
		"agent_tools.decision": "the built-in default: ask",
		"agent_tools.door": "stdio",
		"agent_tools.kind": "skill",
		"agent_tools.outcome": "ok",
		"agent_tools.plugin": "notes",
		"gen_ai.operation.name": "execute_tool",
		"gen_ai.tool.call.id": JSON.parse(result.content[0].text).receipt.id,
		"gen_ai.tool.name": "rewrite",
		"gen_ai.tool.type": "extension",
	});
	const refused = all.find(({ attributes }) => attributes["agent_tools.outcome"] === "refused");
	assert.equal(refused.attributes["error.type"], "CONFIRM_REQUIRED");
	assert.equal(refused.status.code, 2);
	for (const { path: place, headers: sent } of requests) {
		assert.equal(place, "/v1/traces");
		assert.equal(sent["x-key"], "k1");
	}
	const text = JSON.stringify(requests);
	assert.match(text, /"service\.name","value":\{"stringValue":"agent-tools-runtime"/);
	assert.doesNotMatch(text, /canary/);
});

test("a project cannot have calls reported anywhere", LIMIT, async (t) => {
	const log = ownLog(t);
	const { url, requests } = await collector(t);
	writeFileSync(path.join(log.home, "agent-tools.json"), JSON.stringify({ telemetry: { otlp: { endpoint: url } } }));
	const session = await openStdio(t, log.env, { cwd: log.home });
	await session.request("tools/call", call("echo", { message: "hi" }));
	await finish(session);
	assert.deepEqual(requests, []);
	assert.match(session.stderr, /warning: .*telemetry: a project cannot have calls reported anywhere/);
});

test("the variables of OpenTelemetry count where the export was switched on, and only there", LIMIT, async (t) => {
	const log = ownLog(t);
	const { url, requests, spans } = await collector(t);
	const env = { ...log.env, OTEL_EXPORTER_OTLP_ENDPOINT: url };
	for (const [more, count] of [
		[{}, 0],
		[{ AGENT_TOOLS_TELEMETRY: "otlp" }, 1],
	]) {
		const session = await openStdio(t, { ...env, ...more }, { cwd: log.home });
		await session.request("tools/call", call("echo", { message: "hi" }));
		await finish(session);
		assert.equal(requests.length === 0 ? 0 : spans().length, count);
	}
});

test("a collector that does not answer holds up no call and no end", LIMIT, async (t) => {
	const log = ownLog(t);
	let givenUp = 0;
	const silent = createServer(({ socket }) => socket.once("close", () => givenUp++));
	silent.listen(0, "127.0.0.1");
	await once(silent, "listening");
	t.after(() => silent.close() && silent.closeAllConnections());
	const { port } = /** @type {import("node:net").AddressInfo} */ (silent.address());
	const env = { ...log.env, AGENT_TOOLS_TELEMETRY: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
	const session = await openStdio(t, env, { cwd: log.home });
	const { result } = await session.request("tools/call", call("echo", { message: "hi" }));
	assert.equal(result.isError, false);
	assert.equal(givenUp, 0, "the answer comes while the collector is waited for still");
	session.child.stdin.end();
	assert.deepEqual(await session.ended, { code: 0, signal: null }, session.stderr);
});

test("GET /metrics counts calls, where it was switched on, under the rules of /mcp", LIMIT, async (t) => {
	const log = ownLog(t);
	const token = "t".repeat(32);
	const env = { ...log.env, AGENT_TOOLS_HTTP_TOKEN: token };
	const server = await startHttp(t, { env, args: ["--view", "facade", "--metrics"] });
	const bearer = { authorization: `Bearer ${token}` };
	const get = (/** @type {Record<string, string>} */ more) =>
		send({ port: server.port, method: "GET", path: "/metrics", headers: more });
	const madeUp = { name: "agent_tools_canary_call", arguments: { toolName: "canary" } };
	const calls = [call("echo", { message: "a" }), call("echo", {}), call("fail", {}), madeUp];
	for (const [id, params] of calls.entries()) {
		await send({
			port: server.port,
			headers: { ...headers("legacy", "tools/call"), ...bearer },
			body: request("legacy", id, "tools/call", params),
		});
	}
	assert.equal((await get({})).status, 401);
	assert.equal((await get({ ...bearer, host: "evil.example" })).status, 403);
	assert.equal((await get({ ...bearer, origin: "https://evil.example" })).status, 403);
	const { status, headers: answered, text } = await get(bearer);
	assert.equal(status, 200);
	assert.equal(answered["content-type"], "text/plain; version=0.0.4; charset=utf-8");
	for (const line of [
		"# TYPE agent_tools_calls_total counter",
		'agent_tools_calls_total{kind="tool",outcome="ok",plugin="notes"} 1',
		'agent_tools_calls_total{kind="tool",outcome="refused",plugin="notes"} 1',
		'agent_tools_calls_total{kind="tool",outcome="error",plugin="notes"} 1',
		'agent_tools_refusals_total{code="ARG_VALIDATION_FAILED",plugin="notes"} 1',
		'agent_tools_call_duration_seconds_count{kind="tool",plugin="notes"} 2',
		'agent_tools_plugins{state="ready"} 1',
	]) {
		assert.ok(text.split("\n").includes(line), `${line}\n${text}`);
	}
	assert.doesNotMatch(text, /canary/, "names that are made up are no labels");
	const without = await startHttp(t, { env });
	const off = await send({ port: without.port, method: "GET", path: "/metrics", headers: bearer });
	assert.equal(off.status, 404);
});
