import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { loadSkills } from "../lib/plugin-modules.js";
import { FIXTURES, GOOD, openHost } from "./open-host.js";

const BAD = path.join(FIXTURES, "bad");

test("open tells what the plugin has, and which skill is broken", async (t) => {
	const { dispatch } = openHost(t);
	const skills = ["./skills/look.mjs", "./skills/broken.mjs", "./skills/no-run.mjs", "./skills/relay.mjs"];
	const { ok } = await dispatch("open", { ...GOOD, skills });
	assert.equal(ok.hasAdapter, true);
	assert.equal(ok.hasContext, true);
	assert.deepEqual(ok.skills, [
		{
			name: "look",
			description: "What a skill sees of its adapter",
			args: "none",
			related: [{ target: "good:relay", why: "the other one" }],
			readOnly: true,
		},
		{ name: "relay" },
		{ name: "broken", error: "this skill is broken" },
		{ name: "no-run", error: "./skills/no-run.mjs does not export a function named run" },
	]);
});

test("a plugin that inherits nothing sees the variables that it is given and no others", async (t) => {
	const { dispatch, call } = openHost(t);
	const env = { GIVEN: "yes", PATH: "/given" };
	process.env.NOT_GIVEN = "host";
	t.after(() => delete process.env.NOT_GIVEN);
	await dispatch("open", { ...GOOD, env, inheritEnv: false });
	const variables = async () => JSON.parse((await call("variables")).ok.content[0].text);
	assert.deepEqual(await variables(), env);
	await dispatch("open", { ...GOOD, env });
	const inherited = await variables();
	assert.equal(inherited.NOT_GIVEN, "host");
	assert.equal(inherited.GIVEN, "yes");
	assert.equal(inherited.PATH, "/given");
});

test("a skill that never finishes loading is given up, and a second of the same name is refused", async () => {
	const files = ["./skills/hangs.mjs", "./skills/relay.mjs", "../good/skills/relay.mjs"];
	const { skills, broken } = await loadSkills(GOOD.dir, files, 50);
	assert.deepEqual([...skills.keys()], ["relay"]);
	assert.match(broken[0]?.error ?? "", /did not finish loading within 50 ms/);
	assert.match(broken[1]?.error ?? "", /has the name of another skill/);
});

test("a plugin of skills alone has no adapter", async (t) => {
	const { dispatch } = openHost(t);
	const { ok } = await dispatch("open", { dir: path.join(FIXTURES, "skills-only"), skills: ["skills/list.mjs"] });
	assert.deepEqual(ok, { hasAdapter: false, hasContext: false, skills: [{ name: "list" }] });
});

for (const [file, message] of [
	["throws.mjs", /no token/],
	["throws-later.mjs", /crashed: later/],
	["throws-in-constructor.mjs", /needs FOO_TOKEN/],
	["exits.mjs", /exit code 0/],
	["no-class.mjs", /does not export one class/],
	["missing.mjs", /Cannot find module/],
]) {
	test(`an adapter that cannot be loaded is an error: ${file}`, async (t) => {
		const { dispatch, call } = openHost(t);
		const { err } = await dispatch("open", { dir: BAD, adapter: file });
		assert.match(err?.message ?? "", /** @type {RegExp} */ (message));
		assert.equal((await call("echo")).err?.code, "PLUGIN_NOT_OPEN");
		assert.ok((await dispatch("open", GOOD)).ok, "it can be opened again");
	});
}

for (const file of ["hangs.mjs", "loops.mjs"]) {
	test(`a start that never ends can be closed at once: ${file}`, async (t) => {
		const { dispatch } = openHost(t);
		const opening = dispatch("open", { dir: BAD, adapter: file });
		await new Promise((resolve) => setTimeout(resolve, 200));
		assert.deepEqual(await dispatch("close"), { ok: null });
		assert.equal((await opening).err?.code, "CLOSED");
	});
}

test("opening again starts afresh", async (t) => {
	const { dispatch, call } = openHost(t);
	await dispatch("open", GOOD);
	const waiting = call("wait", { ms: 60_000 });
	assert.ok((await dispatch("open", GOOD)).ok);
	assert.equal((await waiting).err?.code, "CLOSED");
	assert.ok((await call("echo")).ok);
});

test("closing what is not open is no error", async (t) => {
	const { dispatch, host } = openHost(t);
	assert.deepEqual(await dispatch("close"), { ok: null });
	assert.ok(JSON.parse(await host.dispatch("call", "not JSON")).err.message);
});
