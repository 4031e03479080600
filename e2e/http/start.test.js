import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { CLI } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";

const list = (port, more = {}) =>
	send({ port, headers: { ...headers("legacy", "tools/list"), ...more }, body: request("legacy", 1, "tools/list") });

test("port 0 takes a free port and says which", async (t) => {
	const [first, second] = await Promise.all([startHttp(t), startHttp(t)]);
	assert.notEqual(first.port, 0);
	assert.notEqual(first.port, second.port);
	assert.equal((await list(first.port)).status, 200);
	assert.equal((await list(second.port)).status, 200);
});

test("a port that is taken is a clear error", async (t) => {
	const other = createServer().listen(0, "127.0.0.1");
	t.after(() => other.close());
	await once(other, "listening");
	const { port } = /** @type {import("node:net").AddressInfo} */ (other.address());

	const child = spawn(process.execPath, [CLI, "http", "--port", String(port)], { stdio: ["ignore", "ignore", "pipe"] });
	let stderr = "";
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	const [code] = await once(child, "close");
	assert.equal(code, 1, stderr);
	assert.match(stderr, /^error: /m);
	assert.match(stderr, /^hint: /m);
	assert.ok(stderr.includes(String(port)), stderr);
	assert.doesNotMatch(stderr, /\n\s+at /, "no stack trace");
});

test("with a token, only who sends it is answered", async (t) => {
	const { port } = await startHttp(t, { args: ["--token", "s3cret"] });
	for (const authorization of [undefined, "Bearer wrong", "Bearer s3cretX", "Bearer ", "s3cret", "Basic s3cret"]) {
		const reply = await list(port, authorization === undefined ? {} : { authorization });
		assert.equal(reply.status, 401, `${authorization}`);
		assert.match(String(reply.headers["www-authenticate"]), /Bearer/);
		assert.ok(!reply.text.includes("s3cret"));
	}
	assert.equal((await list(port, { authorization: "Bearer s3cret" })).status, 200);
	assert.equal((await list(port, { authorization: "bearer s3cret" })).status, 200, "the scheme's case does not matter");
});
