import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { fixturePlugin } from "../harness/paths.js";
import { CLIENT, headers, request } from "../harness/protocol.js";
import { call, openStdio, ownLog } from "./recorded.js";

const LIMIT = { timeout: 60_000 };
const RULE = "the built-in default: ask";

test("a call is recorded by whatever door it came, with who called and what became of it", LIMIT, async (t) => {
	const log = ownLog(t);
	for (const generation of ["legacy", "modern"]) {
		const stdio = await openStdio(t, log.env, { generation });
		await stdio.request("tools/call", call("echo", { message: "hi" }));
	}
	const http = await startHttp(t, { env: log.env, args: ["--view", "facade"] });
	const params = call("write_note", { title: "a" });
	await send({
		port: http.port,
		headers: { ...headers("legacy", "tools/call"), "user-agent": "probe/1", "mcp-session-id": "canary" },
		body: request("legacy", 1, "tools/call", params),
	});
	const runtime = await Runtime.open({
		pluginDirs: [fixturePlugin("notes")],
		packageRoot: null,
		config: false,
		audit: { dir: log.dir },
		client: { name: "host", version: "9" },
	});
	await runtime.callTool("agent_tools_notes_discover", { query: "note" });
	await runtime.call("notes", "fail", {}, { session: "s1" });
	await runtime.close();

	const [legacy, modern, refused, failed, ...rest] = log.lines();
	assert.deepEqual(rest, [], "looking around is not recorded");
	for (const line of [legacy, modern]) {
		assert.deepEqual(line.client, { door: "stdio", ...CLIENT });
		const { plugin, tool, outcome, sent, args, decision } = line;
		assert.deepEqual({ plugin, tool, outcome, sent }, { plugin: "notes", tool: "echo", outcome: "ok", sent: true });
		assert.deepEqual(args.redacted, { message: "hi" });
		assert.equal(args.sha256, createHash("sha256").update('{"message":"hi"}').digest("hex"));
		assert.deepEqual(decision, { decision: "allow", kind: "read-only", rule: RULE, by: "policy" });
		assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		assert.ok(line.bytes > 20 && Number.isInteger(line.ms));
	}
	assert.deepEqual(refused.client, { door: "http", name: "probe/1" });
	assert.match(refused.session, /^#[0-9a-f]{8}$/, "who knows the id of a session could speak in it");
	assert.deepEqual([refused.outcome, refused.code, refused.sent], ["refused", "CONFIRM_REQUIRED", false]);
	assert.deepEqual(failed.client, { door: "in-process", name: "host", version: "9" });
	assert.deepEqual([failed.outcome, failed.code, failed.sent, failed.session], ["error", undefined, true, "s1"]);
});

test("the receipt of a reply is confirmed, and no other", LIMIT, async (t) => {
	const log = ownLog(t);
	const stdio = await openStdio(t, log.env);
	const { result } = await stdio.request("tools/call", call("write_note", { title: "a" }, { confirm: true }));
	const { receipt } = JSON.parse(result.content[0].text);
	assert.deepEqual(log.lines()[0].decision, {
		decision: "allow",
		kind: "mutating",
		rule: RULE,
		by: "model-confirm",
	});

	const found = await log.audit("receipt", receipt.id);
	assert.equal(found.code, 0, found.stderr);
	assert.match(found.stdout, /^found, and the log is whole\n.*notes write_note/);
	const other = await log.audit("receipt", "c00000000-1");
	assert.equal(other.code, 3);
	assert.match(other.stdout, /^not found/);
});

test("the calls that a skill makes are recorded with the receipt of its run", LIMIT, async (t) => {
	const log = ownLog(t);
	const stdio = await openStdio(t, log.env);
	const run = { skill: "rewrite", arguments: { title: "a" }, confirm: true };
	const { result } = await stdio.request("tools/call", { name: "agent_tools_notes_run_skill", arguments: run });
	const { receipt } = JSON.parse(result.content[0].text);
	const [inner, skill] = log.lines();
	assert.deepEqual([inner.tool, inner.parent, inner.outcome], ["write_note", receipt.id, "ok"]);
	assert.deepEqual([skill.skill, skill.receipt, skill.outcome], ["rewrite", receipt.id, "ok"]);
	assert.notEqual(inner.receipt, skill.receipt);
});

test("what was sent is recorded, and not what had to be mended", LIMIT, async (t) => {
	const log = ownLog(t);
	const stdio = await openStdio(t, log.env);
	await stdio.request("tools/call", call("add", { a: "1", b: 2 }));
	assert.deepEqual(log.lines()[0].args.redacted, { a: 1, b: 2 });
});

test("no secret of the arguments is in the log, nor in what the command prints", LIMIT, async (t) => {
	const log = ownLog(t);
	const stdio = await openStdio(t, log.env);
	const args = {
		message: "Authorization: Bearer canary-1-of-the-bearer",
		password: "canary-2",
		nested: [{ api_key: "canary-3" }, { name: "X-Token", value: "canary-4" }],
	};
	await stdio.request("tools/call", call("echo", args));
	await stdio.request("tools/call", call("no_such_tool", { client_secret: "canary-5" }));
	const { stdout } = await log.audit("--json");
	assert.equal(JSON.parse(stdout).lines.length, 2);
	for (const text of [log.text(), stdout]) assert.doesNotMatch(text, /canary/);
});

test("the log is the user's alone", LIMIT, async (t) => {
	if (process.platform === "win32") return t.skip("folders of a Windows user are closed to others");
	const log = ownLog(t);
	const stdio = await openStdio(t, log.env);
	await stdio.request("tools/call", call("echo", { message: "hi" }));
	assert.equal(statSync(log.dir).mode & 0o777, 0o700);
	const names = readdirSync(log.dir).sort();
	assert.deepEqual(names, ["calls-00000001.jsonl", "head", "lock"]);
	for (const name of names) assert.equal(statSync(path.join(log.dir, name)).mode & 0o777, 0o600, name);
});
