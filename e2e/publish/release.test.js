import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { stage } from "../../scripts/packages/stage.mjs";
import { packAll } from "../../scripts/release/tarballs.mjs";
import { NODE_MAJORS } from "../harness/node-versions.js";
import { ROOT } from "../harness/paths.js";
import { newcomer } from "./npm-client.js";
import { startRegistry } from "./registry.js";

// What the release workflow does with the packed packages.

const MAIN = "@rckflr/agent-tools-runtime";
const script = (name) => path.join(ROOT, "scripts/release", name);

describe("a release", () => {
	const dir = mkdtempSync(path.join(tmpdir(), "agent-tools-release-"));
	const packages = path.join(dir, "packages");
	let registry;
	let publisher;
	let tarballs;
	before(async () => {
		registry = await startRegistry(dir);
		publisher = newcomer(dir, registry.url, 24);
		tarballs = packAll(stage({ out: path.join(dir, "staged") }), packages);
	});
	after(async () => {
		await registry?.stop();
		rmSync(dir, { recursive: true, force: true });
	});
	const publish = () => publisher.run("node", [script("publish.mjs"), packages]);

	for (const major of NODE_MAJORS) {
		test(`the packed packages work on Node ${major} before they are published`, async () => {
			const { run } = newcomer(dir, registry.url, major);
			const { code, stdout, stderr } = await run("node", [script("try-packages.mjs"), packages]);
			assert.equal(code, 0, stderr);
			assert.match(stdout, new RegExp(`on Node ${major}\\..*: installed, listed and called`));
		});
	}

	test("the binary comes before the main package, and that before all that need it", () => {
		const names = tarballs.map(({ name }) => name);
		assert.match(names[0], new RegExp(`^${MAIN}-`));
		assert.equal(names[1], MAIN);
		assert.ok(names.includes("agent-tools-runtime-pi-extension"));
	});

	test("what failed midway is done by running it again, and what is published stays", async () => {
		// Without the binary: one of a quick build is large, and publish.test.js publishes it.
		const light = tarballs.slice(1);
		const [first, second] = light;
		const list = path.join(packages, "packages.json");
		writeFileSync(list, JSON.stringify([first, { ...second, file: "gone.tgz" }]));
		const midway = await publish();
		assert.equal(midway.code, 1);
		assert.match(midway.stdout, new RegExp(`^${first.name}@${first.version} published as latest$`, "m"));
		assert.match(midway.stderr, /could not be published[\s\S]*hint: Run this again/);

		writeFileSync(list, JSON.stringify(light));
		const again = await publish();
		assert.equal(again.code, 0, again.stderr);
		const [one, ...others] = again.stdout.trim().split("\n");
		assert.equal(one, `${first.name}@${first.version} is published already`);
		assert.deepEqual(
			others,
			light.slice(1).map(({ name, version }) => `${name}@${version} published as latest`),
		);
		const whole = await publish();
		assert.equal(whole.code, 0, whole.stderr);
		assert.equal(whole.stdout.match(/ is published already$/gm).length, light.length);
	});

	test("a registry that does not answer is no reason to publish", async () => {
		const { run } = newcomer(dir, "http://127.0.0.1:9/", 24);
		const { code, stdout, stderr } = await run("node", [script("publish.mjs"), packages], {
			env: { npm_config_fetch_retries: "0" },
		});
		assert.equal(code, 1);
		assert.equal(stdout, "");
		assert.match(stderr, /^error: the registry does not say whether/);
	});
});
