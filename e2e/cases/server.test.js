import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../../bindings-node/index.js";
import { send } from "../harness/http-request.js";
import { initialize } from "../harness/protocol.js";
import { makePlugin } from "./plugin.js";
import { RAW_DOORS, until } from "./raw-doors.js";
import { inputOf } from "./run-case.js";

// The runtime's own servers, as their wire sees them. In process there is no wire, but calls can be cancelled.

const INITIALIZE = JSON.stringify(initialize());
const VERSION = "2025-06-18";
const TOOL = { name: "slow", description: "test tool", inputSchema: { type: "object", properties: {} } };
const SLOW = { tools: [TOOL], steps: [{ at: "tools/call", nth: 1, do: [{ sleep_ms: 60_000 }] }] };

/**
 * @param {string} id
 * @param {(t: import("node:test").TestContext, door: import("./raw-doors.js").RawDoor, input: any) => Promise<void>} body
 * @param {{doors?: string[], scenario?: import("./plugin.js").Scenario}} [options]
 */
function rawCase(id, body, { doors = Object.keys(RAW_DOORS), scenario = { tools: [TOOL] } } = {}) {
	for (const doorName of doors) {
		test(`${id} ${doorName}`, async (t) => {
			await body(t, await RAW_DOORS[doorName](t, makePlugin(t, { scenario })), inputOf(id));
		});
	}
}

describe("the runtime's own servers", { timeout: 120_000 }, () => {
	// There are no sessions: no id is given, one that a client brings is ignored, and there is nothing to delete.
	rawCase(
		"C091",
		async (_, { port }, { requests }) => {
			const replies = await inOrder(requests, (request) => sendRpc(port, request));
			const [listed, initialized, , withoutId] = replies;
			for (const reply of [listed, withoutId]) assert.ok(reply.json().result.tools.length > 0, reply.text);
			assert.equal(initialized.json().result.protocolVersion, VERSION, initialized.text);
			assert.deepEqual(
				replies.map(({ status }) => status),
				[200, 200, 405, 200],
			);
			for (const { headers } of replies) assert.equal(headers["mcp-session-id"], undefined);
			for (const { headers } of [listed, initialized, withoutId]) assert.match(type(headers), /^application\/json/);
		},
		{ doors: ["http"] },
	);

	rawCase(
		"C093",
		async (_, { port }, { requests }) => {
			const replies = await inOrder(requests, (request) => sendRpc(port, request));
			for (const [index, { status, headers, text, json }] of replies.entries()) {
				const accept = requests[index].headers?.accept ?? "no Accept";
				assert.equal(status, accept === "image/png" ? 406 : 200, `${accept}: ${text}`);
				if (status === 406) continue;
				let answer;
				if (accept === "text/event-stream") {
					assert.match(type(headers), /^text\/event-stream/);
					const events = text.split("\n").filter((line) => /^data: *\S/.test(line));
					assert.equal(events.length, 1, text);
					answer = JSON.parse(events[0].slice("data:".length));
				} else {
					assert.match(type(headers), /^application\/json/, accept);
					answer = json();
				}
				assert.equal(answer.result.protocolVersion, VERSION, text);
			}
		},
		{ doors: ["http"] },
	);

	rawCase("C095", async (_, door, { requests }) => {
		await door.exchange(INITIALIZE);
		const bodies = requests.map(({ body }) => (typeof body === "string" ? body : JSON.stringify(body)));
		for (const text of [...bodies, "5", "null", "true"]) {
			const answers = await door.exchange(text);
			assert.equal(answers.length, 1, text);
			const { id, error } = JSON.parse(answers[0]);
			assert.equal(error?.code, text === "{not json" ? -32700 : -32600, `${text}: ${answers[0]}`);
			assert.equal(id, null, answers[0]);
			if (text.startsWith("[")) assert.match(error.message, /batch/i);
			if (door.port) assert.equal((await sendText(door.port, text)).status, 400, text);
		}
		assert.deepEqual(door.plugin.sent("tools/call"), []);
	});

	rawCase(
		"C101",
		async (_, door, { lines }) => {
			const results = {
				ping: {},
				"resources/list": { resources: [] },
				"prompts/list": { prompts: [] },
				"resources/templates/list": { resourceTemplates: [] },
				"logging/setLevel": {},
			};
			for (const [index, { rpc, notify, params }] of lines.entries()) {
				if (notify) {
					assert.deepEqual(await door.exchange(JSON.stringify({ jsonrpc: "2.0", method: notify }), 0), []);
				} else if (rpc === "initialize") {
					assert.equal((await door.exchange(INITIALIZE)).length, 1);
				} else {
					const answers = await door.exchange(JSON.stringify({ jsonrpc: "2.0", id: index, method: rpc, params }));
					assert.equal(answers.length, 1, rpc);
					const { id, result, error } = JSON.parse(answers[0]);
					assert.equal(id, index, answers[0]);
					if (rpc in results) assert.deepEqual(result, results[rpc], answers[0]);
					else assert.equal(error.code, -32601, answers[0]);
				}
			}

			const begun = door.begin(slowCall(77));
			await until(() => door.plugin.sent("tools/call").length === 1);
			const [answer] = await door.exchange(JSON.stringify({ jsonrpc: "2.0", id: 78, method: "ping" }));
			assert.deepEqual(JSON.parse(answer), { jsonrpc: "2.0", id: 78, result: {} });
			assert.equal(begun.answered(), false);
		},
		{ scenario: SLOW },
	);

	rawCase("C105", async (_, door, { lines }) => {
		// An id above 2^53 is written by hand, as a JavaScript number cannot hold it.
		const large = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}';
		for (const text of [...lines.map((line) => JSON.stringify(line)), large]) {
			const answers = await door.exchange(text);
			assert.equal(answers.length, 1, text);
			const [, sent] = text.match(/"id":("[^"]*"|\d+|null)/) ?? [];
			assert.match(answers[0], new RegExp(`"id":${sent}[,}]`));
			const { error } = JSON.parse(answers[0]);
			assert.equal(error?.code, sent === "null" ? -32600 : undefined, answers[0]);
		}
	});

	rawCase(
		"C116",
		async (_, door, { lines }) => {
			await door.exchange(INITIALIZE);
			const begun = door.begin(slowCall(5));
			await until(() => door.plugin.sent("tools/call").length === 1);
			const cancels = lines.filter(({ notify }) => notify).map(({ notify, params }) => notification(notify, params));
			begun.cancel(cancels[0]);
			const [ping] = await door.exchange('{"jsonrpc":"2.0","id":6,"method":"ping"}');
			assert.equal(JSON.parse(ping).id, 6);
			for (const bad of cancels.slice(1)) assert.deepEqual(await door.exchange(bad, 0), [], bad);
			await assertNeutral(door.plugin);
			// What the call held is free again, and nothing is answered to it later.
			const [next] = await door.exchange(slowCall(7));
			assert.equal(JSON.parse(next).id, 7, next);
			assert.equal(JSON.parse(next).result.isError ?? false, false, next);
			await sleep(300);
			assert.equal(begun.answered(), false);
		},
		{ scenario: SLOW },
	);

	test("C116 in process", async (t) => {
		const plugin = makePlugin(t, { scenario: SLOW });
		const runtime = await Runtime.open({ pluginDirs: [plugin.folder] });
		t.after(() => runtime.close());
		const cancelling = new AbortController();
		const cancelled = assert.rejects(runtime.call("x", "slow", {}, { signal: cancelling.signal }));
		await until(() => plugin.sent("tools/call").length === 1);
		cancelling.abort(new Error("user stopped: secret-project-x"));
		await cancelled;
		await assertNeutral(plugin);
		assert.equal((await runtime.call("x", "slow")).isError ?? false, false);
	});
});

/** The server hears that the call is cancelled, and nothing of why. */
async function assertNeutral(plugin) {
	await until(() => plugin.sent("notifications/cancelled").length > 0);
	const sent = plugin.sent("notifications/cancelled");
	assert.equal(sent.length, 1);
	assert.equal(sent[0].params.requestId, plugin.sent("tools/call")[0].id);
	assert.doesNotMatch(JSON.stringify(plugin.received()), /secret|stopped/);
}

/** @param {number} id */
function slowCall(id) {
	const params = { name: "agent_tools_x_call", arguments: { toolName: "slow", arguments: {} } };
	return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
}

function notification(method, params) {
	return JSON.stringify({ jsonrpc: "2.0", method, params });
}

/** A request of a case, with exactly the case's headers. */
function sendRpc(port, { verb = "POST", rpc, protocolVersion = VERSION, headers = {} }) {
	const body = rpc && {
		jsonrpc: "2.0",
		id: 1,
		method: rpc,
		params: rpc === "initialize" ? initialize(protocolVersion).params : {},
	};
	return send({
		port,
		method: verb,
		headers: { ...(body && { "content-type": "application/json" }), ...headers },
		body,
	});
}

function sendText(port, body) {
	return send({ port, headers: { "content-type": "application/json", accept: "application/json" }, body });
}

function type(headers) {
	return String(headers["content-type"]);
}

async function inOrder(items, work) {
	const done = [];
	for (const item of items) done.push(await work(item));
	return done;
}
