// The MCP reference server behind a URL, over both transports.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../../bindings-node/index.js";
import { startHttp } from "../harness/cli-http.js";
import { freePort } from "../harness/free-port.js";

const PACKAGE = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
const SERVER = path.join(path.dirname(PACKAGE), "dist/index.js");

/** The server on that port; the function ends it. */
async function start(t, transport, port) {
	const child = spawn(process.execPath, [SERVER, transport], { env: { ...process.env, PORT: String(port) } });
	const gone = once(child, "exit");
	const stop = async () => {
		child.kill("SIGKILL");
		await gone;
	};
	t.after(stop);
	let output = "";
	child.stderr.on("data", (chunk) => {
		output += chunk;
	});
	const end = Date.now() + 30_000;
	while (!/port/i.test(output)) {
		assert.ok(Date.now() < end && child.exitCode === null, output);
		await sleep(20);
	}
	return stop;
}

async function open(t, url) {
	const runtime = await Runtime.open({ plugins: [{ prefix: "e", requireConfirm: false, mcp: { url } }] });
	t.after(() => runtime.close());
	return async (tool, args = {}) => {
		const { content, isError } = await runtime.call("e", tool, args);
		const text = JSON.stringify(content);
		assert.equal(isError ?? false, false, text);
		return text;
	};
}

test("a server of the newest protocol: the runtime behind the runtime", async (t) => {
	const { url } = await startHttp(t);
	const mcp = { url: `${url}/demo`, protocolEra: "modern" };
	const runtime = await Runtime.open({ plugins: [{ prefix: "e", requireConfirm: false, mcp }] });
	t.after(() => runtime.close());
	// The demo plugin stands in the folder that the server runs in, as a project's: it is believed nothing.
	const { content, isError } = await runtime.call("e", "list_issues", { confirm: true });
	assert.equal(isError ?? false, false, JSON.stringify(content));
	const failed = await runtime.call("e", "get_issue", { number: 99_999 });
	assert.equal(failed.isError, true, JSON.stringify(failed.content));
});

describe("the reference server behind a URL", { timeout: 120_000 }, () => {
	for (const [transport, where] of [
		["streamableHttp", "/mcp"],
		["sse", "/sse"],
	]) {
		test(`${transport}: tools, resources and prompts, and again after a restart`, async (t) => {
			const port = await freePort();
			const stop = await start(t, transport, port);
			const call = await open(t, `http://localhost:${port}${where}`);
			assert.match(await call("echo", { message: "日本—🎉" }), /日本—🎉/);
			const listed = await call("list_resources");
			const [uri] = listed.match(/demo:\/\/resource\/static\/[^"\\]+/) ?? [];
			assert.ok(uri, listed);
			assert.ok((await call("read_resource", { uri })).length > uri.length);
			assert.match(await call("prompt_simple-prompt"), /prompt/i);
			await stop();
			await start(t, transport, port);
			// Where the connection is a stream, its end is known a moment later.
			await sleep(500);
			assert.match(await call("echo", { message: "again" }), /again/);
		});
	}
});
