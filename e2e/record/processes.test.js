import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { call, openStdio, ownLog } from "./recorded.js";

const LIMIT = { timeout: 120_000 };
const CALLS = 100;

test("two processes that write at the same time make one chain", LIMIT, async (t) => {
	const log = ownLog(t);
	const sessions = await Promise.all([openStdio(t, log.env), openStdio(t, log.env)]);
	// Call by call, so that both are in the log again and again, in whatever order the system lets them.
	for (let n = 0; n < CALLS; n++) {
		await Promise.all(sessions.map((session) => session.request("tools/call", call("echo", { message: String(n) }))));
	}
	const verdict = JSON.parse((await log.audit("verify", "--json")).stdout);
	assert.deepEqual([verdict.ok, verdict.lines, verdict.lost], [true, 2 * CALLS, 0], JSON.stringify(verdict));
	const lines = log.lines();
	assert.equal(new Set(lines.map(({ pid }) => pid)).size, 2);
	assert.deepEqual(
		lines.map(({ seq }) => seq),
		lines.map((_, i) => i + 1),
	);
});

test("a process that is killed while it writes harms no line, and the next goes on", LIMIT, async (t) => {
	const log = ownLog(t);
	for (let round = 0; round < 3; round++) {
		const session = await openStdio(t, log.env);
		const answered = new Set();
		for (let n = 0; n < 400; n++) {
			session.request("tools/call", call("echo", { message: `${round} ${n}` })).then(
				({ result }) => answered.add(JSON.parse(result.content[0].text).receipt.id),
				() => {},
			);
		}
		while (answered.size < 50) await new Promise((resolve) => setTimeout(resolve, 1));
		session.child.kill("SIGKILL");
		await session.ended;
		const recorded = new Set(log.lines().map(({ receipt }) => receipt));
		for (const id of answered) assert.ok(recorded.has(id), "what was answered is recorded");
	}
	const last = await openStdio(t, log.env);
	await last.request("tools/call", call("echo", { message: "last" }));
	const verdict = JSON.parse((await log.audit("verify", "--json")).stdout);
	assert.equal(verdict.ok, true, JSON.stringify(verdict));
	assert.equal(log.lines().at(-1).args.redacted.message, "last");
});

test("a project cannot switch the log off, nor move it", LIMIT, async (t) => {
	const log = ownLog(t);
	const project = path.join(log.home, "project");
	mkdirSync(project);
	const off = { audit: { enabled: false, dir: path.join(log.home, "elsewhere"), maxBytes: 1 } };
	writeFileSync(path.join(project, "agent-tools.json"), JSON.stringify(off));
	const session = await openStdio(t, log.env, { cwd: project });
	await session.request("tools/call", call("echo", { message: "hi" }));
	assert.equal(log.lines().length, 1);
	assert.match(session.stderr, /warning: .*agent-tools\.json: audit: a project can only switch the call log on/);
});

test("the user can switch it off, and a project can ask for it all the same", LIMIT, async (t) => {
	const log = ownLog(t);
	mkdirSync(path.join(log.home, "config"));
	writeFileSync(path.join(log.home, "config/agent-tools.json"), '{"audit":{"enabled":false}}');
	const off = await openStdio(t, log.env, { cwd: log.home });
	await off.request("tools/call", call("echo", { message: "hi" }));
	assert.throws(() => log.lines(), { code: "ENOENT" });
	const project = path.join(log.home, "project");
	mkdirSync(project);
	writeFileSync(path.join(project, "agent-tools.json"), '{"audit":{"required":true}}');
	const on = await openStdio(t, log.env, { cwd: project });
	await on.request("tools/call", call("echo", { message: "hi" }));
	assert.deepEqual(
		log.lines().map(({ kind }) => kind),
		["sent", "call"],
	);
});

test("a log that cannot be written refuses no call, unless it is required", LIMIT, async (t) => {
	const log = ownLog(t);
	writeFileSync(log.dir, "a file where the folder should be");
	const session = await openStdio(t, log.env, { cwd: log.home });
	const write = call("write_note", { title: "a" }, { confirm: true });
	const { result } = await session.request("tools/call", write);
	assert.equal(JSON.parse(result.content[0].text).result.written, "a");

	const config = path.join(log.home, "required.json");
	writeFileSync(config, '{"audit":{"required":true}}');
	const strict = await openStdio(t, log.env, { args: ["--config", config] });
	const refused = JSON.parse((await strict.request("tools/call", write)).result.content[0].text);
	assert.equal(refused.code, "AUDIT_UNWRITABLE");
	assert.match(refused.error, /the call log in .* cannot be written: .*nothing was sent/);
	assert.match(refused.hint, /audit\.required/);
});

test("reading and checking the log changes nothing", LIMIT, async (t) => {
	const log = ownLog(t);
	const session = await openStdio(t, log.env);
	await session.request("tools/call", call("echo", { message: "hi" }));
	const before = log.text();
	for (const args of [["verify"], ["stats"], []]) assert.equal((await log.audit(...args)).code, 0);
	assert.equal(log.text(), before);
});
