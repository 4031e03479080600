import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { desk, LIMIT, ON_TERMINAL, withoutControls } from "./desk.js";

test("arguments are read after the tool's schema, from the line, files and stdin", LIMIT, async (t) => {
	const { run, project } = desk(t);
	writeFileSync(path.join(project, "title.txt"), "from a file\n");
	writeFileSync(path.join(project, "all.json"), '{"title": "whole", "count": 1}');
	/** @param {string[]} args @param {string} [input] */
	const shown = async (args, input) => {
		const { code, out, err } = await run(["call", "desk", "show", ...args], { input });
		assert.equal(code, 0, err);
		assert.match(err, /^receipt: c[0-9a-f]{8}-1$/m);
		return JSON.parse(out);
	};
	const typed = "title=007 count=3 urgent=true labels=a labels=b place.room=2.5 place.a.b=x dotted.name=y";
	assert.deepEqual(await shown(typed.split(" ").flatMap((arg) => ["--arg", arg])), {
		title: "007",
		count: 3,
		urgent: true,
		labels: ["a", "b"],
		place: { room: 2.5, a: { b: "x" } },
		"dotted.name": "y",
	});
	assert.deepEqual(await shown(["--arg", "title=@title.txt"]), { title: "from a file\n" });
	assert.deepEqual(await shown(["--args", "@all.json", "--arg", "count=2"]), { title: "whole", count: 2 });
	assert.deepEqual(await shown(["--args", "-"], '{"title": "piped"}'), { title: "piped" });
	assert.deepEqual(await shown(["--arg", 'labels=["a","b"]', "--arg", "title=[x]"]), {
		labels: ["a", "b"],
		title: "[x]",
	});
});

for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
	[["--arg", "count=many"], /^error: --arg count must be a whole number, not `many`$/m],
	[["--arg", "urgent=yes"], /must be `true` or `false`/],
	[["--arg", "count=12345678901234567890"], /more than a number holds exactly/],
	[["--arg", "title"], /--arg title has no value/],
	[["--arg", "title=a", "--arg", "title=b"], /--arg title is given twice/],
	[["--arg", "title=a", "--arg", "title.b=c"], /title is no object/],
	[["--arg", "title=@nowhere.txt"], /nowhere\.txt cannot be read/],
	[["--args", "[1]"], /--args is no JSON object/],
	[["--args", "{title}"], /--args is no JSON: /],
])) {
	test(`nothing is sent with ${args.join(" ")}`, LIMIT, async (t) => {
		const { run, calls } = desk(t);
		const { code, out, err } = await run(["call", "desk", "file", "--confirm", ...args]);
		assert.equal(code, 2, err);
		assert.match(err, message);
		assert.equal(out, "");
		assert.deepEqual(calls(), []);
	});
}

test("what does not fit the schema is explained, and names that do not exist", LIMIT, async (t) => {
	const { run, calls } = desk(t);
	const missing = await run(["call", "desk", "show", "--arg", "titel=x"]);
	assert.equal(missing.code, 1);
	assert.match(missing.err, /^error: the arguments do not fit .*\n {2}\/.*title/m);
	assert.match(missing.err, /^hint: What it takes: agent-tools describe desk show$/m);
	const tool = await run(["call", "desk", "shwo"]);
	assert.equal(tool.code, 2);
	assert.match(tool.err, /no tool `shwo`\nhint: Did you mean `show`\?/);
	const plugin = await run(["call", "dsk", "show"]);
	assert.equal(plugin.code, 2);
	assert.match(plugin.err, /no plugin `dsk`\nhint: Did you mean `desk`\?/);
	assert.deepEqual(calls(), []);
});

test("without a terminal a change needs --confirm, and what destroys is refused", LIMIT, async (t) => {
	const { run, calls } = desk(t);
	const refused = await run(["call", "desk", "file", "--arg", "title=a"]);
	assert.equal(refused.code, 3);
	assert.match(refused.err, /^error: file may change something, and --confirm was not given; nothing was sent$/m);
	assert.match(refused.err, /^hint: .*--confirm/m);
	assert.equal((await run(["call", "desk", "shred", "--confirm"])).code, 3);
	assert.deepEqual(calls(), []);
	const done = await run(["call", "desk", "file", "--arg", "title=a", "--confirm"]);
	assert.equal(done.code, 0, done.err);
	assert.deepEqual(calls(), ['file {"title":"a"}']);
});

test("a rule that denies goes before --confirm", LIMIT, async (t) => {
	const { run, calls } = desk(t, { policy: { tools: { "desk/file": "deny" } } });
	const { code, err } = await run(["call", "desk", "file", "--arg", "title=a", "--confirm"]);
	assert.equal(code, 3, err);
	assert.match(err, /hint: What decided: agent-tools policy explain desk file/);
	assert.deepEqual(calls(), []);
});

test("a tool's own `confirm` is not set by a person's yes, only by --confirm or --arg", LIMIT, async (t) => {
	const { run, calls } = desk(t);
	assert.equal((await run(["call", "desk", "own"])).code, 3);
	assert.equal((await run(["call", "desk", "own", "--confirm"])).code, 0);
	assert.deepEqual(calls(), ['own {"confirm":true}']);
});

test("on a terminal the person is asked, and the answer counts", ON_TERMINAL, async (t) => {
	const { onTerminal, calls } = desk(t);
	const file = ["call", "desk", "file", "--arg", "title=a"];
	const no = await onTerminal(file, [[/\[N\]o/, "\r"]]);
	assert.equal(no.code, 3, no.shown);
	assert.match(no.shown, /desk\/file.*, a tool: file of desk may change something/);
	assert.match(no.shown, /"title": "a"/);
	assert.deepEqual(calls(), []);

	const unclear = await onTerminal(file, [
		[/\[N\]o/, "perhaps\r"],
		[/\[N\]o/, "y\r"],
	]);
	assert.equal(unclear.code, 0, unclear.shown);
	assert.match(unclear.shown, /\{\n {2}"title": "a"\n\}\n/);
	const always = await onTerminal(["call", "desk", "shred"], [[/\[N\]o/, "always\r"]]);
	assert.equal(always.code, 0, always.shown);
	assert.equal((await onTerminal(["call", "desk", "shred"])).code, 0);
	assert.deepEqual(calls(), ['file {"title":"a"}', "shred {}", "shred {}"]);
});

test("Ctrl-C at the question ends the command, and nothing is sent", ON_TERMINAL, async (t) => {
	const { onTerminal, calls } = desk(t);
	const { code, shown } = await onTerminal(["call", "desk", "shred"], [[/\[N\]o/, "\u0003"]]);
	assert.equal(code, 130, shown);
	assert.deepEqual(calls(), []);
});

test("a failing tool's words are the error", LIMIT, async (t) => {
	const { run } = desk(t);
	const { code, out, err } = await run(["call", "desk", "fail"]);
	assert.equal(code, 1);
	assert.equal(out, "");
	assert.match(err, /^error: desk\/fail failed: the desk is on fire$/m);
	const json = await run(["call", "desk", "fail", "--json"]);
	assert.equal(json.code, 1);
	assert.equal(JSON.parse(json.out).content[0].text, "the desk is on fire");
});

test("pictures are described, or saved under numbered names", LIMIT, async (t) => {
	const { run, project } = desk(t);
	const described = await run(["call", "desk", "draw"]);
	assert.equal(described.out, "two pictures\n");
	assert.equal(described.err.match(/^image\/png, \d+ bytes: --out FILE saves it$/gm)?.length, 2);
	assert.equal((await run(["call", "desk", "draw", "--out", "a.png"])).code, 0);
	for (const name of ["a.png", "a-2.png"]) {
		assert.equal(readFileSync(path.join(project, name)).subarray(1, 4).toString(), "PNG");
	}
	const none = await run(["call", "desk", "show", "--arg", "title=a", "--out", "b.png"]);
	assert.match(none.err, /warning: the reply has nothing to save/);
	assert.equal(existsSync(path.join(project, "b.png")), false);
});

test("a long text is whole", LIMIT, async (t) => {
	const { out } = await desk(t).run(["call", "desk", "print"]);
	assert.equal(out, `${Array.from({ length: 30_000 }, (_, i) => `line ${i}`).join("\n")}\n`);
});

test("a tool with an odd name is called by it", LIMIT, async (t) => {
	const { run, calls } = desk(t);
	const { code, err } = await run(["call", "desk", "desk/odd name"]);
	assert.equal(code, 0, err);
	assert.deepEqual(calls(), ["desk/odd name {}"]);
});

test("what goes on for long says so on a terminal alone", ON_TERMINAL, async (t) => {
	const { run, onTerminal } = desk(t);
	const { shown } = await onTerminal(["call", "desk", "wait"]);
	assert.match(shown, /[|/\\-] desk\/wait {2}\d+\/20 {2}waiting/);
	assert.match(withoutControls(shown), /waited\nreceipt: /);
	const piped = await run(["call", "desk", "wait"]);
	assert.equal(piped.out, "waited\n");
	assert.match(piped.err, /^receipt: \S+\n$/);
});

test("a tool's text cannot steer the terminal, and is left as it is in a pipe", ON_TERMINAL, async (t) => {
	const { run, onTerminal } = desk(t);
	assert.match((await onTerminal(["call", "desk", "steer"])).shown, /before\?\[2Jafter/);
	assert.equal((await run(["call", "desk", "steer"])).out, "before\u001b[2Jafter\n");
});

test("calls of the command are in the call log", LIMIT, async (t) => {
	const { run } = desk(t);
	const { err } = await run(["call", "desk", "show", "--arg", "title=a"]);
	const [, id] = /^receipt: (\S+)$/m.exec(err) ?? [];
	const { code, out } = await run(["audit", "receipt", String(id)]);
	assert.equal(code, 0);
	assert.match(out, /^found, and the log is whole\n.*desk show/);
});
