// Command-line programs as plugins, with real programs and processes.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { leftAfter, MARKER } from "../harness/marked-processes.js";
import { Spawned } from "../processes/spawned.js";
import { makeCliPlugin } from "./cli-plugin.js";
import { DOORS } from "./doors.js";
import { inputOf } from "./run-case.js";

const CALL = "agent_tools_x_call";
const PWNED = "/tmp/pwn";
const TERMINAL_HOST = fileURLToPath(new URL("terminal-host.mjs", import.meta.url));

/** Fails with both streams, then succeeds with stderr alone, then crashes. */
const THREE_ENDS = `#!/bin/sh
count="$(dirname "$0")/count"
echo x >> "$count"
case $(wc -l < "$count") in
	1) echo out; echo warn >&2; exit 2 ;;
	2) echo warn >&2 ;;
	*) kill -SEGV $$ ;;
esac
`;

/** Writes GBK and then UTF-8 in two pieces; the next time random bytes, which stand in the file `written` beside it. */
const ODD_OUTPUT = `#!/usr/bin/env node
const fs = require("node:fs");
const file = require("node:path").join(__dirname, "written");
if (!fs.existsSync(file)) {
	fs.writeFileSync(file, "");
	process.stdout.write(Buffer.from("c4e3bac3c3", "hex"));
	setTimeout(() => process.stdout.write(Buffer.from("a9", "hex")), 100);
} else {
	const bytes = require("node:crypto").randomBytes(1 << 20);
	fs.writeFileSync(file, bytes);
	process.stdout.write(bytes);
}
`;

/**
 * @param {string} name
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof makeCliPlugin>[1]} content
 */
function open(name, t, content) {
	return DOORS[name](t, makeCliPlugin(t, content));
}

/** Each call in a session of its own: the guard against repeated failures is not what is looked at. */
let sessions = 0;

/** @param {import("./doors.js").Door} door */
function run(door, args = {}, toolName = "run") {
	return door.call(CALL, { toolName, arguments: args }, { session: `session-${sessions++}` });
}

/** @param {import("./doors.js").Answer} answer what a program that ran did, whether it succeeded or not */
function outcome(answer) {
	const payload = JSON.parse(answer.text);
	assert.ok(payload.result, answer.text);
	return { ...payload.result, notes: (payload.notes ?? []).join("\n") };
}

/** @param {import("./doors.js").Answer} answer */
function argv(answer) {
	assert.equal(answer.isError, false, answer.text);
	return JSON.parse(outcome(answer).stdout);
}

/** @param {import("./doors.js").Answer} answer */
function assertRefused(answer, about) {
	assert.equal(answer.code, "ARG_VALIDATION_FAILED", answer.text);
	assert.match(answer.text, about);
	assert.match(answer.text, /nothing was run/);
}

for (const doorName of Object.keys(DOORS)) {
	describe(`command lines, ${doorName}`, { timeout: 120_000 }, () => {
		test(`C146 ${doorName}: no value becomes an option`, async (t) => {
			const { adapter, bin, calls, expect_argv } = inputOf("C146");
			rmSync(PWNED, { force: true });
			const skills = { clone: cloneSkill() };
			const door = await open(doorName, t, { cli: adapter, bin, skills });
			for (const [index, args] of calls.entries()) {
				const [direct, bySkill] = [await run(door, args), await runSkill(door, args)];
				if (expect_argv[index] === null) {
					const slot = args.dir ? "dir" : "url";
					for (const answer of [direct, bySkill]) {
						assert.ok(answer.isError, answer.text);
						assert.ok(answer.text.includes(`\`${slot}\` starts with \`-\``), answer.text);
					}
					assertRefused(direct, /starts with/);
				} else {
					assert.deepEqual(argv(direct), expect_argv[index]);
					assert.deepEqual(JSON.parse(JSON.parse(bySkill.text).stdout), expect_argv[index]);
				}
			}
			assert.equal(existsSync(PWNED), false);
		});

		test(`C148 ${doorName}: a value stays one argument, byte for byte`, async (t) => {
			const { adapter, bin, calls } = inputOf("C148");
			rmSync(PWNED, { force: true });
			const door = await open(doorName, t, { cli: adapter, bin });
			for (const args of calls) assert.deepEqual(argv(await run(door, args)), [args.v]);
			assertRefused(await run(door, { v: "a\0b" }), /NUL/);
			assert.equal(existsSync(PWNED), false);
		});

		test(`C150 ${doorName}: exit codes, both streams and signals`, async (t) => {
			const { adapter, calls } = inputOf("C150");
			const door = await open(doorName, t, { cli: adapter, bin: { tool: THREE_ENDS } });
			const answers = [];
			for (const args of calls) answers.push(await run(door, args));
			assert.deepEqual(
				answers.map(({ isError, code }) => [isError, code]),
				[
					[true, "TOOL_FAILED"],
					[false, undefined],
					[true, "TOOL_FAILED"],
				],
			);
			const wanted = [
				{ exitCode: 2, stdout: "out\n", stderr: "warn\n", notes: "" },
				{ exitCode: 0, stdout: "", stderr: "warn\n", notes: "" },
				{ exitCode: null, signal: "SIGSEGV", stdout: "", stderr: "", notes: "" },
			];
			assert.deepEqual(answers.map(outcome), wanted);
		});
	});
}

describe("command lines", { timeout: 180_000 }, () => {
	test("C146: a parameter may allow a dash, and `--` goes before what is positional", async (t) => {
		const { adapter, bin, calls } = inputOf("C146");
		const [clone, url, dir] = adapter.args;
		const depth = { param: "depth", flag: "--depth", type: "integer", optional: true };
		const args = [clone, depth, url, { ...dir, allowLeadingDash: true }];
		const door = await open("in process", t, { cli: { ...adapter, args, endOfOptions: true }, bin });
		assert.deepEqual(argv(await run(door, calls[2])), ["clone", "--", "ok", "-x"]);
		assert.deepEqual(argv(await run(door, { url: "u", depth: 1 })), ["clone", "--depth", "1", "--", "u"]);
		assertRefused(await run(door, calls[0]), /starts with/);
	});

	test("C150: a plugin says what codes mean", async (t) => {
		const cli = {
			command: "grep",
			args: [{ param: "pattern" }],
			stdin: { param: "text" },
			okExitCodes: [0, 1],
			exitCodes: { 1: "no match" },
		};
		const door = await open("in process", t, { cli });
		const none = await run(door, { pattern: "x", text: "abc" });
		assert.equal(none.isError, false);
		const { exitCode, meaning } = outcome(none);
		assert.deepEqual({ exitCode, meaning }, { exitCode: 1, meaning: "no match" });
		assert.equal(outcome(await run(door, { pattern: "b", text: "abc\nx\n" })).stdout, "abc\n");
		const wrong = await run(door, { pattern: "[", text: "" });
		assert.equal(wrong.code, "TOOL_FAILED");
		assert.equal(outcome(wrong).exitCode, 2);
	});

	test("C152: no terminal is there to be asked", async (t) => {
		const { adapter, bin } = inputOf("C152");
		const plugin = makeCliPlugin(t, { cli: adapter, bin });
		const answerFile = path.join(plugin.folder, "answer.json");
		const inTerminal = (command) => {
			const args = ["-qec", command, "/dev/null"];
			const session = new Spawned(t, "script", args, { cwd: process.cwd(), env: process.env });
			return session.exitWithin(60_000).then(() => session.stdout);
		};
		// The program does ask where it can, or else this test would show nothing.
		const asked = await inTerminal(path.join(plugin.folder, "bin/tool"));
		assert.match(asked, /Password: /);

		const shown = await inTerminal(`'${process.execPath}' '${TERMINAL_HOST}' '${plugin.folder}' '${answerFile}'`);
		assert.match(shown, /a terminal is here/, "the host itself has the terminal");
		assert.doesNotMatch(shown, /Password/);
		const { ms, reply } = JSON.parse(readFileSync(answerFile, "utf8"));
		assert.ok(ms < adapter.timeoutMs, `it failed at once: ${ms} ms`);
		const payload = JSON.parse(reply.content[0].text);
		assert.equal(payload.code, "TOOL_FAILED");
		assert.match(payload.result.stderr, /\/dev\/tty/);
		assert.match(payload.notes.join(), /wanted a terminal/);
	});

	test("C154: the program's end ends the call, whatever holds its output", async (t) => {
		const { adapter } = inputOf("C154");
		const marker = `c154-${process.pid}`;
		const door = await open("in process", t, { cli: adapter, env: { [MARKER]: marker } });
		await run(door);
		const before = openFiles();
		const began = Date.now();
		for (let round = 0; round < 5; round++) {
			const answers = await Promise.all(Array.from({ length: 20 }, () => run(door)));
			for (const answer of answers) {
				assert.equal(answer.isError, false, answer.text);
				const { stdout, notes } = outcome(answer);
				assert.equal(stdout, "ok\n");
				assert.match(notes, /a background process .* still holds its output/);
			}
		}
		// Each `sleep 60` would hold its call for a minute.
		assert.ok(Date.now() - began < 60_000);
		assert.ok(openFiles() <= before + 5, `${before} open files became ${openFiles()}`);
	});

	test("C154: what ignores SIGTERM is killed, with what has left its group", async (t) => {
		const { adapter } = inputOf("C154");
		const marker = `c154-term-${process.pid}`;
		// It has to outlive its time, so it waits for what it started.
		const script = `trap '' TERM; ${adapter.args[1]}; while :; do wait; sleep 1; done`;
		const cli = { ...adapter, args: ["-c", script], timeoutMs: 1000, readOnly: true };
		const door = await open("in process", t, { cli, env: { [MARKER]: marker } });
		const answer = await run(door);
		assert.equal(answer.code, "TIMEOUT", answer.text);
		assert.equal(answer.failure.stdout, "ok\n");
		assert.deepEqual(await leftAfter(marker, 5000), []);
	});

	test("C156: output in another encoding, and output that is no text", async (t) => {
		const { adapter, adapter_variant } = inputOf("C156");
		const door = await open("in process", t, { cli: adapter, bin: { tool: ODD_OUTPUT } });
		const lossy = outcome(await run(door));
		assert.match(lossy.stdout, /^\ufffd+é$/);
		assert.match(lossy.notes, /stdout: \d+ characters could not be read as UTF-8/);

		const answer = await run(door);
		assert.ok(answer.text.length < 2000);
		const { binary, bytes, file } = outcome(answer).stdout;
		assert.deepEqual({ binary, bytes }, { binary: "application/octet-stream", bytes: 1 << 20 });
		assert.deepEqual(readFileSync(file), readFileSync(path.join(door.plugin.folder, "bin/written")));

		const named = { ...adapter, ...adapter_variant };
		const gbk = await open("in process", t, { cli: named, bin: { tool: ODD_OUTPUT } });
		const read = outcome(await run(gbk));
		assert.match(read.stdout, /^你好/);
		assert.equal(read.notes, "");
	});
});

function cloneSkill() {
	return {
		description: "Clones.",
		steps: [{ id: "done", call: "run", arguments: { url: "{{args.url}}", dir: "{{args.dir ?? omit}}" } }],
		result: "{{done}}",
	};
}

function runSkill(door, args) {
	const call = { skill: "clone", arguments: args };
	return door.call("agent_tools_x_run_skill", call, { session: `session-${sessions++}` });
}

function openFiles() {
	return readdirSync("/proc/self/fd").length;
}
