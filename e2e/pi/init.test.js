// `agent-tools init pi`, with the real Pi: by its own command, and by its settings where that command is not to be found.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CLI, installed, ROOT } from "../harness/paths.js";
import { e2eModule, NODE24, temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";

const PI = e2eModule("@earendil-works/pi-coding-agent/dist/bundle/cli.js");
const EXTENSION = path.join(ROOT, "integrations/pi-extension");

/** @param {import("node:test").TestContext} t */
function setUp(t) {
	const home = temporaryFolder("pi-init");
	const [work, programs] = ["work", "bin"].map((name) => path.join(home, name));
	for (const folder of [work, programs]) mkdirSync(String(folder));
	symlinkSync(installed("pi"), path.join(String(programs), "pi"));
	const settings = path.join(home, ".pi/agent/settings.json");
	const env = {
		HOME: home,
		PI_OFFLINE: "1",
		PI_TELEMETRY: "0",
		PI_SKIP_VERSION_CHECK: "1",
		// Nobody answers there: nothing is installed from anywhere.
		npm_config_registry: "http://127.0.0.1:9",
		npm_config_fetch_retries: "0",
	};
	const node = path.dirname(NODE24);
	const run = async (/** @type {string[]} */ args, /** @type {string} */ PATH) => {
		const child = new Spawned(t, NODE24, args, { cwd: String(work), env: { ...env, PATH } });
		const { code } = await child.exitWithin(120_000);
		return { code, output: child.output, stdout: child.stdout };
	};
	return {
		settings,
		list: async () => (await run([PI, "list"], node)).output,
		withPi: (/** @type {string[]} */ ...args) =>
			run([CLI, "init", ...args, "--yes"], `${programs}${path.delimiter}${node}${path.delimiter}${process.env.PATH}`),
		withoutPi: (/** @type {string[]} */ ...args) => run([CLI, "init", ...args, "--yes"], ""),
	};
}

test("Pi's own command installs the extension, and removes it again", async (t) => {
	const { settings, list, withPi } = setUp(t);
	const { code, output } = await withPi("pi", "--local");
	assert.equal(code, 0, output);
	assert.match(output, /Pi: to be run: .*pi install /);
	assert.match(await list(), /pi-extension/);
	const again = await withPi("pi", "--local");
	assert.match(again.output, /Pi: already there/);
	const undone = await withPi("--undo", "pi");
	assert.equal(undone.code, 0, undone.output);
	assert.doesNotMatch(await list(), /pi-extension/);
	assert.doesNotMatch(readFileSync(settings, "utf8"), /pi-extension/);
	assert.ok(existsSync(EXTENSION));
});

test("what Pi cannot install is an error, and nothing is recorded", async (t) => {
	const { settings, withPi } = setUp(t);
	const { code, output } = await withPi("pi");
	assert.equal(code, 1, output);
	assert.match(output, /error: `pi install npm:agent-tools-runtime-pi-extension` failed \(\d+\)\nhint: /);
	assert.doesNotMatch(existsSync(settings) ? readFileSync(settings, "utf8") : "", /agent-tools/);
	assert.match((await withPi("--undo", "pi")).output, /init has written nothing for Pi/);
});

test("without its command the settings name the package, which Pi then lists", async (t) => {
	const { settings, list, withoutPi } = setUp(t);
	mkdirSync(path.dirname(settings), { recursive: true });
	writeFileSync(settings, '{\n  "theme": "dark"\n}\n');
	const { code, output } = await withoutPi("pi");
	assert.equal(code, 0, output);
	assert.match(await list(), /npm:agent-tools-runtime-pi-extension/);
	assert.equal(JSON.parse(readFileSync(settings, "utf8")).theme, "dark");
	assert.equal((await withoutPi("--undo", "pi")).code, 0);
	assert.equal(readFileSync(settings, "utf8"), '{\n  "theme": "dark"\n}\n');
});
