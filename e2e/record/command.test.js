import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CLI } from "../harness/paths.js";
import { call, openStdio, ownLog } from "./recorded.js";

const LIMIT = { timeout: 60_000 };

/** A log of five calls: three of `echo`, one of them bad, one of `fail`, and one refused. */
async function fiveCalls(t) {
	const log = ownLog(t);
	const session = await openStdio(t, log.env);
	for (const [tool, args] of [
		["echo", { message: "1" }],
		["echo", { message: "2" }],
		["echo", { wrong: 1 }],
		["fail", {}],
		["write_note", { title: "\u001b[31mred" }],
	]) {
		await session.request("tools/call", call(tool, args));
	}
	return { log, session };
}

test("the last calls are shown in 80 columns, and chosen by filters", LIMIT, async (t) => {
	const { log } = await fiveCalls(t);
	const { stdout } = await log.audit();
	const rows = stdout.trimEnd().split("\n");
	assert.match(rows[0], /^TIME \(UTC\) +CALL +OUTCOME +MS +RECEIPT$/);
	assert.equal(rows.length, 6);
	for (const row of rows) assert.ok(row.length <= 80 && /^[ -~]+$/.test(row), row);
	for (const [args, count] of [
		[["--tool", "echo"], 3],
		[["--tool", "echo", "--outcome", "ok"], 2],
		[["--outcome", "refused"], 2],
		[["--outcome", "ARG_VALIDATION_FAILED"], 1],
		[["--plugin", "notes", "--client", "agent-tools-runtime-e2e"], 5],
		[["--client", "http"], 0],
		[["--decision", "read-only"], 3],
		[["--since", "1h", "--limit", "2"], 2],
		[["--since", "2100-01-01"], 0],
	]) {
		const { lines } = JSON.parse((await log.audit("--json", ...args)).stdout);
		assert.equal(lines.length, count, args.join(" "));
	}
});

test("calls are counted by tool and outcome", LIMIT, async (t) => {
	const { log } = await fiveCalls(t);
	const { calls, groups } = JSON.parse((await log.audit("stats", "--json")).stdout);
	assert.equal(calls, 5);
	const { plugin, tool, outcome, calls: most, p50, p95 } = groups[0];
	assert.deepEqual({ plugin, tool, outcome, most }, { plugin: "notes", tool: "echo", outcome: "ok", most: 2 });
	assert.ok(p50 <= p95);
	const { stdout } = await log.audit("stats", "--tool", "echo");
	assert.match(stdout, /^3 calls since .*\nCALLS +OUTCOME +P50 MS +P95 MS +CALL\n +2 +ok +\d+ +\d+ +notes echo\n/);
});

test("each kind of tampering is found, at its place, and told by the exit code", LIMIT, async (t) => {
	const { log } = await fiveCalls(t);
	const file = path.join(log.dir, "calls-00000001.jsonl");
	const before = readFileSync(file, "utf8");
	const lines = before.trimEnd().split("\n");
	const whole = await log.audit("verify");
	assert.equal(whole.code, 0, whole.stdout);
	const head = whole.stdout.match(/^head: ([0-9a-f]{64}) \(line 5\)$/m)?.[1];
	assert.ok(head, whole.stdout);

	for (const [change, found] of [
		[lines.with(1, lines[1].replace('"ok"', '"no"')), "changed at calls-00000001.jsonl, line 2"],
		[lines.toSpliced(2, 1), "removed at calls-00000001.jsonl, line 3, number 4"],
		[lines.toSpliced(3, 0, lines[1]), "inserted at calls-00000001.jsonl, line 4"],
		[lines.slice(0, 3), "cut-off at number 3: 2 lines behind it are missing"],
	]) {
		writeFileSync(file, `${change.join("\n")}\n`);
		const { code, stdout } = await log.audit("verify");
		assert.equal(code, 3);
		assert.ok(stdout.startsWith(`NOT WHOLE: ${found}`), stdout);
		assert.equal((await log.audit("receipt", JSON.parse(lines[0]).receipt)).code, 3, "and no receipt counts");
	}
	writeFileSync(file, before);
	assert.match((await log.audit("verify", "--head", head)).stdout, /It goes on from the head/);
	const foreign = await log.audit("verify", "--head", "0".repeat(63).padEnd(64, "1"));
	assert.equal(foreign.code, 3);
	assert.match(foreign.stdout, /NOT THIS LOG/);
});

test("--follow shows calls as they are made", LIMIT, async (t) => {
	const { log, session } = await fiveCalls(t);
	const following = spawn(process.execPath, [CLI, "audit", "--follow", "--json", "--tool", "add"], { env: log.env });
	t.after(() => following.kill("SIGKILL"));
	const told = once(following.stdout, "data");
	await session.request("tools/call", call("add", { a: 1, b: 2 }));
	const [line] = await told;
	assert.equal(JSON.parse(String(line)).tool, "add");
});

test("names cannot steer the terminal", LIMIT, async (t) => {
	const log = ownLog(t);
	const session = await openStdio(t, log.env);
	await session.request("tools/call", call("\u001b]0;title\u0007\u202Eevil", {}));
	for (const args of [[], ["stats"]]) {
		const { stdout } = await log.audit(...args);
		assert.match(stdout, /evil/);
		assert.doesNotMatch(stdout, /[^\n -~]/);
	}
});

test("a wrong command line is explained", LIMIT, async (t) => {
	const log = ownLog(t);
	for (const [args, message] of [
		[["verfy"], /`audit` has no action `verfy`/],
		[["receipt"], /`audit receipt` needs ID/],
		[["stats", "--follow"], /`audit stats` has no option --follow/],
		[["stats", "more"], /takes no argument, but got `more`/],
		[["--since", "yesterday"], /--since takes `1h`/],
		[["verify", "--head", "abc"], /64 hexadecimal digits/],
		[["--limit", "0"], /whole number from 1/],
	]) {
		const { code, stderr } = await log.audit(...args);
		assert.equal(code, 2);
		assert.match(stderr, message);
	}
	const none = await log.audit();
	assert.equal(none.code, 0);
	assert.match(none.stderr, /no such call is recorded in /);
	assert.equal((await log.audit("verify")).code, 0);
});
