// The command itself, as a program whose stdin is no terminal.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { writeText } from "../../lib/cli/edit/file.js";
import { newUser } from "./user.js";

const BIN = fileURLToPath(new URL("../../bin/agent-tools-runtime.js", import.meta.url));

/** @param {import("node:test").TestContext} t */
function setUp(t) {
	const place = newUser(t);
	const { home, cwd } = place;
	const env = {
		PATH: "",
		HOME: home,
		USERPROFILE: home,
		APPDATA: home,
		NO_COLOR: "1",
	};
	const init = (/** @type {string[]} */ ...args) => {
		const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "init", ...args], {
			cwd,
			env,
			encoding: "utf8",
		});
		return { status, stdout, stderr };
	};
	const file = place.inHome(".cursor", "mcp.json");
	return { place, init, file };
}

test("nobody to ask: the difference is shown, nothing is written, exit 3", (t) => {
	const { init, file } = setUp(t);
	const { status, stdout, stderr } = init("cursor");
	assert.equal(status, 3);
	assert.match(stdout, /^--- \/dev\/null\n\+\+\+ .*mcp\.json\n@@[\s\S]*\+ {4}"agent-tools": \{\n/);
	assert.match(stderr, /Nothing was written[\s\S]*hint: .*--yes/);
	assert.equal(existsSync(file), false);
});

test("secrets that stand beside it are not shown, and stay", (t) => {
	const { place, init, file } = setUp(t);
	const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
	mkdirSync(place.inHome(".cursor"));
	const text = `{\n  "mcpServers": {\n    "github": { "command": "x", "env": { "GITHUB_TOKEN": "${secret}" } }\n  }\n}\n`;
	writeFileSync(file, text);
	const { status, stdout, stderr } = init("cursor", "--yes");
	assert.equal(status, 0);
	assert.match(stdout, /"github"/);
	assert.doesNotMatch(stdout + stderr, /ghp_a1B2/);
	assert.ok(readFileSync(file, "utf8").includes(secret));
});

test("--dry-run writes nothing, exit 0; --yes writes; again there is nothing to do; --undo takes it back", (t) => {
	const { init, file } = setUp(t);
	assert.equal(init("cursor", "--dry-run", "--yes").status, 0);
	assert.equal(existsSync(file), false);
	const { status, stderr } = init("cursor", "--yes");
	assert.equal(status, 0);
	assert.match(stderr, /Cursor: written\..*\nTo take it back: agent-tools init --undo cursor/);
	const again = init("cursor");
	assert.deepEqual([again.status, again.stdout], [0, ""]);
	assert.match(again.stderr, /already there/);
	assert.equal(init("--undo", "cursor").status, 3);
	assert.equal(existsSync(file), true);
	assert.equal(init("--undo", "cursor", "--yes").status, 0);
	assert.equal(existsSync(file), false);
	const nothing = init("--undo", "cursor", "--yes");
	assert.equal(nothing.status, 1);
	assert.match(nothing.stderr, /error: init has written nothing for Cursor here\nhint: /);
});

test("what is gone already leaves nothing to ask; what was changed stays, and keeps nothing else from being undone", (t) => {
	const { place, init, file } = setUp(t);
	const other = place.inProject(".cursor", "mcp.json");
	init("cursor", "--yes");
	rmSync(file);
	assert.equal(init("--undo", "cursor").status, 0);
	assert.match(init("--undo", "cursor").stderr, /init has written nothing/);

	const theirs = '{"mcpServers":{"own":{"command":"true"}}}';
	init("cursor", "--yes");
	writeFileSync(file, theirs);
	const byHand = init("--undo", "cursor");
	assert.equal(byHand.status, 0, byHand.stderr);
	assert.match(byHand.stderr, /^Cursor: nothing of it is left in .*mcp\.json$/m);
	assert.equal(readFileSync(file, "utf8"), theirs);
	assert.match(init("--undo", "cursor").stderr, /init has written nothing/);

	init("cursor", "--yes");
	init("cursor", "--scope", "project", "--yes");
	writeFileSync(file, readFileSync(file, "utf8").replace('"mcp"', '"http"'));
	const { status, stdout } = init("--undo", "cursor", "--yes", "--json");
	assert.equal(status, 1);
	const states = JSON.parse(stdout).map((/** @type {any} */ outcome) => [outcome.file, outcome.state]);
	assert.deepEqual(states, [
		[other, "undone"],
		[file, "failed"],
	]);
	assert.equal(existsSync(other), false);
	assert.match(readFileSync(file, "utf8"), /"http"/);
});

test("--json says of each file what became of it", (t) => {
	const { init, file } = setUp(t);
	const outcome = { client: "cursor", scope: "user", file };
	const { diff, ...first } = JSON.parse(init("cursor", "--json", "--yes").stdout)[0];
	assert.deepEqual(first, { ...outcome, state: "written" });
	assert.match(diff, /^\+/m);
	assert.deepEqual(JSON.parse(init("cursor", "--json").stdout), [{ ...outcome, state: "same" }]);
});

test("a client that is named twice has its turn once", (t) => {
	const { init } = setUp(t);
	for (const args of [["--yes"], ["--undo", "--yes"]]) {
		const { status, stdout } = init("cursor", "cursor", "--json", ...args);
		assert.equal(status, 0);
		assert.equal(JSON.parse(stdout).length, 1);
	}
});

test("without a client: what is found is named; --all takes all of it", (t) => {
	const { place, init, file } = setUp(t);
	assert.match(init().stderr, /error: no client was found\nhint: .*claude-code/);
	mkdirSync(place.inHome(".cursor"));
	mkdirSync(place.inHome(".codex"));
	assert.match(init("--dry-run").stdout, /config\.toml[\s\S]*mcp\.json/);
	const { status, stderr } = init();
	assert.equal(status, 3);
	assert.match(stderr, /Found: codex, cursor/);
	assert.equal(init("--all", "--yes").status, 0);
	assert.ok(existsSync(file) && existsSync(place.inHome(".codex", "config.toml")));
	assert.equal(init("--undo", "--all", "--yes").status, 0);
	assert.ok(!existsSync(file) && !existsSync(place.inHome(".codex", "config.toml")));
});

test("the project's file is another; its undoing belongs to the project", (t) => {
	const { place, init, file } = setUp(t);
	assert.equal(init("cursor", "--scope", "project", "--yes").status, 0);
	assert.ok(existsSync(place.inProject(".cursor", "mcp.json")) && !existsSync(file));
	assert.equal(init("--undo", "cursor", "--scope", "user", "--yes").status, 1);
	assert.equal(init("--undo", "cursor", "--yes").status, 0);
	assert.equal(existsSync(place.inProject(".cursor", "mcp.json")), false);
});

test("one that fails keeps no other from its turn, and the exit code says so", (t) => {
	const { place, init, file } = setUp(t);
	mkdirSync(place.inHome(".cursor"));
	writeFileSync(file, '{\n  "a": [}\n');
	const { status, stderr, stdout } = init("cursor", "codex", "--yes", "--json");
	assert.equal(status, 1);
	assert.match(stderr, /error: .*mcp\.json, line 2, column 9: \S+.*\nhint: Nothing was written\. Correct the file/);
	assert.equal(readFileSync(file, "utf8"), '{\n  "a": [}\n');
	assert.deepEqual(
		JSON.parse(stdout).map((/** @type {any} */ { state }) => state),
		["failed", "written"],
	);
});

test("what is wrong on the command line", (t) => {
	const { init } = setUp(t);
	/** @type {[string[], RegExp][]} */
	const cases = [
		[["curser"], /no client `curser`[\s\S]*Did you mean `cursor`/],
		[["cursor", "--scope", "all"], /no scope `all`/],
		[["goose", "--scope", "project"], /goose has no configuration of a project/],
		[["--undo"], /--undo needs a client/],
		[["cursor", "--token", "x"], /has no option --token/],
	];
	for (const [args, message] of cases) {
		const { status, stderr } = init(...args);
		assert.equal(status, 2, args.join(" "));
		assert.match(stderr, message);
	}
});

test("a file that changes while the user is asked is not written over", async (t) => {
	const { place } = setUp(t);
	const target = place.inHome("x.json");
	writeFileSync(target, "theirs");
	await assert.rejects(writeText({ target, text: "shown", marked: false }, "ours"), { code: "FILE_CHANGED" });
	assert.equal(readFileSync(target, "utf8"), "theirs");
});

test("a file that is not UTF-8 is left alone", (t) => {
	const { place, init, file } = setUp(t);
	mkdirSync(place.inHome(".cursor"));
	const bytes = Buffer.from('\ufeff{ "a": 1 }', "utf16le");
	writeFileSync(file, bytes);
	assert.match(init("cursor", "--yes").stderr, /is not UTF-8\nhint: Nothing was written/);
	assert.deepEqual(readFileSync(file), bytes);
});
