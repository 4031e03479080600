// Two hundred calls at once over twenty plugins, of which one hangs, two flood and one crashes, at each door.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { CLI } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";
import { StdioSession } from "../harness/stdio-session.js";
import { temporaryFolder } from "../processes/places.js";
import { ProcessWatch } from "../processes/process-watch.js";
import { Spawned } from "../processes/spawned.js";
import { BAD, makeCalls, makePlugins } from "./plugins.js";

const MAX_PEAK_KB = 300 * 1024;
const CLIENTS = 4;
const LIMIT = { timeout: 180_000 };
const HOST = fileURLToPath(new URL("host.mjs", import.meta.url));

/** @typedef {{number: number, isError: boolean, text: string}} Answer in the order in which they came */

/**
 * @param {import("node:test").TestContext} t
 * @param {import("./plugins.js").LoadCall[]} calls
 * @param {Answer[]} answers
 * @param {number} peakKb
 */
function check(t, calls, answers, peakKb) {
	t.diagnostic(`peak memory ${Math.round(peakKb / 1024)} MB`);
	assert.equal(answers.length, calls.length);
	const of = (prefix) => answers.filter(({ number }) => calls[number].prefix === prefix);
	for (const { number, isError, text } of answers) {
		const { prefix, value } = calls[number];
		if (BAD.includes(prefix) && prefix !== "chatters") continue;
		assert.equal(isError, false, text);
		assert.equal(JSON.parse(text).result.raw, `echo ${value}`);
	}
	for (const { text } of of("floods")) assert.match(text, /UPSTREAM_PROTOCOL.*longer than/);
	for (const { text } of of("crashes")) assert.match(text, /PLUGIN_CRASHED|PLUGIN_UNAVAILABLE|REPEATED_FAILURE/);
	for (const { text } of of("hangs")) assert.match(text, /TIMEOUT|REPEATED_FAILURE/);
	// Nobody waits for the plugin that hangs.
	const firstHung = answers.findIndex(({ number }) => calls[number].prefix === "hangs");
	const lastOther = answers.findLastIndex(({ number }) => calls[number].prefix !== "hangs");
	assert.ok(lastOther < firstHung, `an answer came as number ${lastOther}, behind one that hung, ${firstHung}`);
	assert.ok(peakKb < MAX_PEAK_KB, `the peak was ${Math.round(peakKb / 1024)} MB`);
}

/** @param {number} pid */
function peakOf(pid) {
	const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
	return Number(peak);
}

/** @param {import("./plugins.js").LoadCall} call */
const toolCall = ({ prefix, value }) => ({
	name: `agent_tools_${prefix}_call`,
	// What a plugin that has crashed said of its tools counts for nothing until they are listed again.
	arguments: { toolName: "echo", arguments: { value }, confirm: true },
});

test("in process", LIMIT, async (t) => {
	const calls = makeCalls();
	const callsFile = path.join(temporaryFolder("agent-tools-load-calls"), "calls.json");
	writeFileSync(callsFile, JSON.stringify(calls));
	const host = new Spawned(t, process.execPath, [HOST, makePlugins(), callsFile], {});
	const exit = await host.exitWithin(150_000);
	assert.equal(exit.code, 0, host.output);
	const lines = host.stdout
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	check(t, calls, lines.slice(0, -1), lines.at(-1).peakKb);
	assert.deepEqual(await host.watch.survivors(), []);
});

test("over stdio", LIMIT, async (t) => {
	const calls = makeCalls();
	const env = { ...process.env, AGENT_TOOLS_PLUGINS_DIR: makePlugins() };
	const session = new StdioSession("legacy", process.execPath, [CLI, "mcp"], { env, detached: true });
	const watch = new ProcessWatch(session.child.pid);
	t.after(() => watch.killAll());
	await session.open();
	/** @type {Answer[]} */
	const answers = [];
	await Promise.all(
		calls.map(async (call, number) => {
			const { result } = await session.request("tools/call", toolCall(call));
			answers.push({ number, isError: result.isError, text: result.content[0].text });
		}),
	);
	check(t, calls, answers, peakOf(session.child.pid));
	session.child.stdin.end();
	await session.ended;
	assert.deepEqual(await watch.survivors(), []);
});

test(`over HTTP, for ${CLIENTS} clients whose requests have the same ids`, LIMIT, async (t) => {
	const calls = makeCalls();
	const server = await startHttp(t, { env: { AGENT_TOOLS_PLUGINS_DIR: makePlugins() } });
	/** @type {Answer[]} */
	const answers = [];
	await Promise.all(
		calls.map(async (call, number) => {
			const params = toolCall(call);
			const id = Math.floor(number / CLIENTS);
			const client = { ...headers("modern", "tools/call", params), "user-agent": `client ${number % CLIENTS}` };
			const reply = await send({
				port: server.port,
				headers: client,
				body: request("modern", id, "tools/call", params),
			});
			assert.equal(reply.json().id, id);
			const { isError, content } = reply.json().result;
			answers.push({ number, isError, text: content[0].text });
		}),
	);
	check(t, calls, answers, peakOf(server.child.pid));
});
