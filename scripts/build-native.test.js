import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { triple } from "../bindings-node/lib/platform.js";
import { buildNative } from "./build-native.mjs";

const ADDON = `bindings-node/agent-tools-runtime.${triple()}.node`;

/**
 * A workspace with a cargo of our own, which counts its runs in the library that it makes.
 *
 * @param {import("node:test").TestContext} t
 */
function workspace(t) {
	const root = mkdtempSync(path.join(tmpdir(), "build-native-"));
	const { PATH } = process.env;
	t.after(() => {
		process.env.PATH = PATH;
		rmSync(root, { recursive: true });
	});
	for (const folder of ["bin", "bindings-node/src", "runtime/src/deep"])
		mkdirSync(path.join(root, folder), { recursive: true });
	writeFileSync(path.join(root, "Cargo.toml"), "");
	writeFileSync(path.join(root, "runtime/src/deep/file.rs"), "");
	const artifact = {
		reason: "compiler-artifact",
		target: { name: "agent_tools_runtime_node" },
		filenames: [`${root}/made.so`],
	};
	writeFileSync(
		path.join(root, "bin/cargo"),
		`#!/bin/sh\necho run >> ${root}/made.so\necho '{"reason":"build-script-executed"}'\necho '${JSON.stringify(artifact)}'\n`,
		{ mode: 0o755 },
	);
	process.env.PATH = `${root}/bin${path.delimiter}${PATH}`;

	/** @param {string} file @param {number} seconds */
	const touch = (file, seconds) => {
		const time = Date.now() / 1000 + seconds;
		utimesSync(path.join(root, file), time, time);
	};
	const runs = () => readFileSync(path.join(root, ADDON), "utf8").split("\n").length - 1;
	return { root, touch, runs };
}

const skip = process.platform === "win32";

test("the addon is built once, and again when a source is newer", { skip }, async (t) => {
	const { root, touch, runs } = workspace(t);
	let told = 0;
	const onBuild = () => void told++;
	assert.equal(await buildNative(root, { onBuild }), true);
	assert.equal(runs(), 1);
	assert.equal(await buildNative(root, { onBuild }), true);
	assert.equal(runs(), 1);
	assert.equal(told, 1, "nothing is said of a build that is not needed");
	touch("runtime/src/deep/file.rs", 5);
	assert.equal(await buildNative(root), true);
	assert.equal(runs(), 2);
	const left = readdirSync(path.join(root, "bindings-node"));
	assert.deepEqual(left.sort(), [path.basename(ADDON), "src"].sort());
});

test("a failed build leaves no addon", { skip }, async (t) => {
	const { root } = workspace(t);
	writeFileSync(path.join(root, "bin/cargo"), "#!/bin/sh\nexit 101\n");
	assert.equal(await buildNative(root), false);
	assert.deepEqual(readdirSync(path.join(root, "bindings-node")), ["src"]);
});

test("a build can be stopped", { skip }, async (t) => {
	const { root } = workspace(t);
	writeFileSync(path.join(root, "bin/cargo"), "#!/bin/sh\nexec sleep 60\n");
	const error = t.mock.method(console, "error", () => {});
	const controller = new AbortController();
	const building = buildNative(root, {
		signal: controller.signal,
		onBuild: () => setTimeout(() => controller.abort(), 50),
	});
	assert.equal(await building, false);
	assert.equal(error.mock.callCount(), 0);
});

test("a missing cargo is explained", async (t) => {
	const { root } = workspace(t);
	process.env.PATH = path.join(root, "nothing");
	const error = t.mock.method(console, "error", () => {});
	assert.equal(await buildNative(root), false);
	assert.match(String(error.mock.calls[0]?.arguments[0]), /^error: cargo.*not installed.*\nhint: Install Rust from/);
});
