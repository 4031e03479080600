import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { test } from "node:test";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { fixtureServers, killMarked, leftAfter, MARKER } from "../harness/marked-processes.js";
import { CLI, fixturePlugin } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";
import { StdioSession } from "../harness/stdio-session.js";

const GONE_WITHIN_MS = 2000;
const ENDS_AT_ALL_MS = 60_000;
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"];

// Both kinds at once: two processes of each.
const PLUGINS = [fixturePlugin("stubborn"), fixturePlugin("spawner")].join(path.delimiter);
const CALLS = [
	{ name: "agent_tools_stubborn_call", arguments: { toolName: "echo", arguments: { message: "hi" }, confirm: true } },
	{ name: "agent_tools_spawner_call", arguments: { toolName: "start", arguments: {} } },
];
const RUNNING = 4;

for (const signal of SIGNALS) {
	test(`mcp: ${signal} leaves no process`, { timeout: ENDS_AT_ALL_MS }, async (t) => {
		const { session, marker } = await openStdio(t);
		session.child.kill(signal);
		assertEndedBy(signal, await session.ended);
		assert.deepEqual(await leftAfter(marker, GONE_WITHIN_MS), []);
	});

	test(`http: ${signal} leaves no process`, { timeout: ENDS_AT_ALL_MS }, async (t) => {
		const { server, marker, ended } = await openHttp(t);
		server.child.kill(signal);
		assertEndedBy(signal, await ended);
		assert.deepEqual(await leftAfter(marker, GONE_WITHIN_MS), []);
	});
}

test("mcp: the end of stdin ends it well and leaves no process", { timeout: ENDS_AT_ALL_MS }, async (t) => {
	const { session, marker } = await openStdio(t);
	session.child.stdin.end();
	assert.deepEqual(await session.ended, { code: 0, signal: null }, session.stderr);
	assert.deepEqual(await leftAfter(marker, GONE_WITHIN_MS), []);
});

test("mcp: a call that was sent just before stdin ended is still answered", { timeout: ENDS_AT_ALL_MS }, async (t) => {
	const { session } = await openStdio(t);
	const answer = session.request("tools/call", { name: "agent_tools_help", arguments: {} });
	session.child.stdin.end();
	assert.match((await answer).result.content[0].text, /stubborn/);
});

function marked(t) {
	const marker = randomUUID();
	t.after(() => killMarked(marker));
	return { marker, env: { [MARKER]: marker, AGENT_TOOLS_PLUGINS_DIR: PLUGINS } };
}

async function openStdio(t) {
	const { marker, env } = marked(t);
	const session = new StdioSession("legacy", process.execPath, [CLI, "mcp"], { env: { ...process.env, ...env } });
	await session.open();
	for (const call of CALLS) {
		const { result, error } = await session.request("tools/call", call);
		assert.ok(result && !result.isError, JSON.stringify(result ?? error));
	}
	await fixtureServers(marker, RUNNING);
	return { session, marker };
}

async function openHttp(t) {
	const { marker, env } = marked(t);
	const server = await startHttp(t, { env });
	const ended = new Promise((resolve) => server.child.once("exit", (code, signal) => resolve({ code, signal })));
	for (const [id, call] of CALLS.entries()) {
		const body = request("legacy", id, "tools/call", call);
		const { text, json } = await send({ port: server.port, headers: headers("legacy", "tools/call", call), body });
		assert.equal(json().result?.isError ?? false, false, text);
		assert.ok(json().result, text);
	}
	await fixtureServers(marker, RUNNING);
	return { server, marker, ended };
}

/** Shells expect 128 + n of a program that handles a signal; to die of the signal itself says the same. */
function assertEndedBy(signal, { code, signal: by }) {
	const numbers = { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 };
	assert.ok(by === signal || code === numbers[signal], `ended with code ${code}, signal ${by}`);
}
