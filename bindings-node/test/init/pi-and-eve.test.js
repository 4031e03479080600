import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { carryOut } from "../../lib/cli/init/carry-out.js";
import { eve } from "../../lib/cli/init/clients/eve.js";
import { pi } from "../../lib/cli/init/clients/pi.js";
import { plan } from "../../lib/cli/init/plan.js";
import { recordsOf } from "../../lib/cli/init/record.js";
import { serverOf } from "../../lib/cli/init/server.js";
import { carryOutUndo, planUndo } from "../../lib/cli/init/undo.js";
import { newUser } from "./user.js";

const SOURCE = "npm:agent-tools-runtime-pi-extension";
const PLUGINS = [
	{ prefix: "demo", name: "Demo", description: 'issues and "notes"; `y` \\' },
	{ prefix: "a-b", name: "Other", description: null },
];

/**
 * @param {import("node:test").TestContext} t
 * @param {import("../../lib/cli/init/client.js").Client} client
 * @param {string} [settings] of Pi
 */
function setUp(t, client, settings) {
	const place = newUser(t);
	const file = place.inHome(".pi", "agent", "settings.json");
	if (settings !== undefined) {
		mkdirSync(place.path.dirname(file), { recursive: true });
		writeFileSync(file, settings);
	}
	/** @param {Parameters<typeof serverOf>[0]} [options] */
	const changes = (options = {}) => {
		const scope = client === eve ? /** @type {const} */ ("project") : /** @type {const} */ ("user");
		const local = options.local === true;
		return plan(client, { place, scope, server: serverOf(options, place), local, plugins: PLUGINS });
	};
	const write = async (/** @type {Parameters<typeof serverOf>[0]} */ options = {}) => {
		for (const change of await changes(options)) {
			if (change.state === "new") await carryOut(client, "user", change, place);
		}
	};
	const undo = async () => {
		for (const record of recordsOf(place, client.name)) await carryOutUndo(planUndo(record), place);
	};
	return { place, file, changes, write, undo, read: () => readFileSync(file, "utf8") };
}

for (const [what, settings] of Object.entries({
	"no file": undefined,
	"an empty file": "",
	"no packages": '{\n  "theme": "dark"\n}\n',
	"packages and comments": '{\r\n\t"packages": [\r\n\t\t"npm:other", // mine\r\n\t]\r\n}\r\n',
	"an empty list": '{ "packages": [] }',
})) {
	test(`Pi, without its command: ${what}`, async (t) => {
		const { file, changes, read, write, undo } = setUp(t, pi, settings);
		await write();
		assert.match(read(), new RegExp(`"${SOURCE}"`));
		for (const part of (settings ?? "").match(/"npm:other", \/\/ mine|"theme": "dark"/g) ?? [])
			assert.ok(read().includes(part));
		const [again] = await changes();
		assert.equal(again?.state, "same");
		await undo();
		if (settings === undefined) assert.equal(existsSync(file), false);
		else assert.equal(read(), settings);
	});

	if (!settings) continue;
	test(`Pi: ${what}, undone after more packages came`, async (t) => {
		const { file, read, write, undo } = setUp(t, pi, settings);
		await write();
		writeFileSync(file, read().replace(`"${SOURCE}"`, `"${SOURCE}", "npm:later"`));
		await undo();
		assert.doesNotMatch(read(), /agent-tools/);
		assert.match(read(), /"npm:later"/);
	});
}

for (const item of [`"${SOURCE}@0.3.0"`, `{ "source": "${SOURCE}", "skills": [] }`]) {
	test(`Pi: ${item} is the same package`, async (t) => {
		const { changes } = setUp(t, pi, `{ "packages": [${item}] }`);
		assert.equal((await changes())[0]?.state, "same");
	});
}

test("Pi: a broken file, a list that is none, and a URL are refused", async (t) => {
	await assert.rejects(setUp(t, pi, '{ "packages": [').changes(), { code: "FILE_BROKEN" });
	await assert.rejects(setUp(t, pi, '{ "packages": "x" }').changes(), { code: "FILE_BROKEN" });
	await assert.rejects(setUp(t, pi).changes({ http: "http://x/mcp" }), { code: "NOT_TAKEN" });
});

test("eve: a file for each plugin; those that are there stay, and only what was written is removed", async (t) => {
	const { place, changes, write, undo } = setUp(t, eve);
	await assert.rejects(changes(), { code: "NO_PROJECT" });
	const folder = place.inProject("agent", "connections");
	mkdirSync(folder, { recursive: true });
	const [demo, other] = ["demo.ts", "a-b.ts"].map((name) => place.path.join(folder, name));
	writeFileSync(String(other), "// mine");
	assert.deepEqual(
		(await changes()).map(({ state }) => state),
		["new", "kept"],
	);
	await write();
	const text = readFileSync(String(demo), "utf8");
	assert.match(text, /url: "http:\/\/127\.0\.0\.1:8321\/mcp\/demo"/);
	assert.match(text, /process\.env\.AGENT_TOOLS_TOKEN/);
	assert.deepEqual(
		(await changes()).map(({ state }) => state),
		["same", "kept"],
	);
	await undo();
	assert.equal(existsSync(String(demo)), false);
	assert.equal(readFileSync(String(other), "utf8"), "// mine");
});

test("eve: a file that was changed since is not removed", async (t) => {
	const { place, write, undo } = setUp(t, eve);
	mkdirSync(place.inProject("agent"));
	await write({ http: "https://example.com/base/mcp", "token-env": "MINE" });
	const file = place.inProject("agent", "connections", "a-b.ts");
	assert.match(readFileSync(file, "utf8"), /"https:\/\/example\.com\/base\/mcp\/a-b"[\s\S]*description: "a-b: Other"/);
	assert.match(readFileSync(file, "utf8"), /process\.env\.MINE;/);
	writeFileSync(file, "// mine now");
	await assert.rejects(undo(), { code: "FILE_CHANGED" });
	assert.equal(readFileSync(file, "utf8"), "// mine now");
});
