import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { answer } from "../oauth/protected-server.js";
import { listen, readBody, sendJson } from "../oauth/serve.js";
import { inputOf } from "./run-case.js";

/**
 * A command that prints t1 the first time and t2 later, and how often it was run.
 *
 * @param {import("node:test").TestContext} t
 * @param {(run: number) => string} [printed]
 */
function tokenSource(t, printed = (run) => (run === 1 ? "t1" : "t2")) {
	const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-token-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const [script, log] = ["token.mjs", "runs"].map((name) => path.join(folder, name));
	writeFileSync(log, "");
	writeFileSync(
		script,
		`import { appendFileSync, readFileSync } from "node:fs";
		appendFileSync(${JSON.stringify(log)}, "x");
		const run = readFileSync(${JSON.stringify(log)}, "utf8").length;
		console.log((${printed})(run));`,
	);
	return { tokenCommand: [process.execPath, script], runs: () => readFileSync(log, "utf8").length };
}

/**
 * An MCP server over HTTP that does what the case's rules say.
 *
 * @param {import("node:test").TestContext} t
 * @param {any[]} rules
 */
async function ruledServer(t, rules) {
	/** @type {{status: number, authorization?: string, message: any}[]} */
	const received = [];
	const seen = new Map();
	const origin = await listen(t, async (request, response) => {
		const text = await readBody(request);
		if (request.method !== "POST") return response.writeHead(405).end();
		const { authorization } = request.headers;
		const rule = rules.find(({ when }) => {
			if (when.verb !== request.method || (when.header && when.header !== `authorization: ${authorization}`))
				return false;
			seen.set(when, (seen.get(when) ?? 0) + 1);
			return seen.get(when) > (when.after_n ?? 0);
		});
		const message = JSON.parse(text);
		const status = rule?.status ?? (message.id === undefined ? 202 : 200);
		received.push({ status, authorization, message });
		if (status === 202) return response.writeHead(202).end();
		if (status !== 200) return sendJson(response, status, { error: "expired" });
		return sendJson(response, 200, { jsonrpc: "2.0", id: message.id, ...answer(message) });
	});
	return {
		url: `${origin}/mcp`,
		received,
		calls: () => received.filter(({ message }) => message.method === "tools/call"),
	};
}

/**
 * @param {import("node:test").TestContext} t
 * @param {string} url
 * @param {{tokenCommand: string[]}} auth
 */
async function open(t, url, { tokenCommand }) {
	const mcp = { url, auth: { tokenCommand }, protocolEra: "legacy" };
	const runtime = await Runtime.open({ pluginDirs: [], plugins: [/** @type {any} */ ({ prefix: "x", mcp })] });
	t.after(() => runtime.close());
	return { runtime, call: () => runtime.call("x", "whoami") };
}

const textOf = (reply) => reply.content.map((block) => block.text).join("\n");

describe("C087 a token expires while it is in use", { timeout: 120_000 }, () => {
	test("C087 the source is read once more and the request repeated once", async (t) => {
		const input = inputOf("C087");
		const server = await ruledServer(t, input.rules);
		const source = tokenSource(t);
		const { call } = await open(t, server.url, source);
		for (const { op } of input.client) {
			assert.equal(op, "call");
			const reply = await call();
			assert.equal(reply.isError, false, textOf(reply));
			assert.match(textOf(reply), /welcome/);
		}
		assert.equal(source.runs(), 2);
		const refused = server.received.filter(({ status }) => status === 401);
		assert.equal(refused.length, 1, JSON.stringify(server.received));
		const again = server.received[server.received.indexOf(refused[0]) + 1];
		assert.deepEqual(again.message, refused[0].message);
		assert.equal(again.authorization, "Bearer t2");
		const done = server.calls().filter(({ status }) => status === 200);
		assert.equal(done.length, 3, "each call is carried out once");
	});

	test("C087 refusals at the same time cause a single refresh", async (t) => {
		let good = "t1";
		const server = await ruledServer(t, [
			{
				when: {
					verb: "POST",
					get header() {
						return good === "t1" ? "never" : "authorization: Bearer t1";
					},
				},
				status: 401,
			},
		]);
		const source = tokenSource(t);
		const { call } = await open(t, server.url, source);
		assert.match(textOf(await call()), /welcome/);
		good = "t2";
		const replies = await Promise.all(Array.from({ length: 8 }, call));
		for (const reply of replies) assert.match(textOf(reply), /welcome/);
		assert.equal(source.runs(), 2);
	});

	test("C087 still 401: the user is told, the tools stay listed, and the next call tries again", async (t) => {
		let allowed = true;
		const server = await ruledServer(t, [
			{
				when: {
					get verb() {
						return allowed ? "never" : "POST";
					},
				},
				status: 401,
			},
		]);
		const source = tokenSource(t, (run) => `t${run}`);
		const { runtime, call } = await open(t, server.url, source);
		assert.match(textOf(await call()), /welcome/);

		allowed = false;
		const before = server.received.length;
		const failure = JSON.parse(textOf(await call()));
		assert.equal(failure.code, "UPSTREAM_AUTH", JSON.stringify(failure));
		assert.match(failure.hint, new RegExp(path.basename(process.execPath)));
		assert.equal(server.received.length - before, 2, "once, and once with the new token");
		assert.equal(source.runs(), 2);
		assert.match(textOf(await runtime.discover("x")), /whoami/);

		assert.equal(JSON.parse(textOf(await call())).code, "UPSTREAM_AUTH");
		assert.equal(source.runs(), 3, "the next call tries again");
		allowed = true;
		assert.match(textOf(await call()), /welcome/);
		assert.equal(source.runs(), 3);
	});
});
