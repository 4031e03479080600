import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { triple } from "../../bindings-node/lib/platform.js";
import { binary } from "../packages/platform-package.mjs";
import { glibcOf, needsFaults } from "./base-libraries.mjs";
import { fromObjdump, fromOtool, needsOf } from "./binary-needs.mjs";

const HERE = triple();
const skip = HERE.endsWith("-gnu") ? false : "there is a glibc on Linux only";
const CHECK = fileURLToPath(new URL("./check-binary.mjs", import.meta.url));

/** @param {import("./binary-needs.mjs").Needs} needs */
function ownFloor(needs) {
	const floor = glibcOf(needs);
	assert.ok(floor);
	return floor;
}

for (const [title, file] of /** @type {const} */ ([
	["the addon", binary(HERE)],
	["Node itself", process.execPath],
])) {
	test(`${title} passes at the glibc that it needs, and fails one below`, { skip }, () => {
		assert.ok(existsSync(file));
		const needs = needsOf(file);
		const floor = ownFloor(needs);
		const [major, minor] = floor.split(".").map(Number);
		const older = `${major}.${Number(minor) - 1}`;
		const ofGlibc = (/** @type {string} */ version) =>
			needsFaults(HERE, needs, version).filter((line) => line.includes("GLIBC_"));
		assert.deepEqual(ofGlibc(floor), []);
		assert.deepEqual(ofGlibc(older), [`${HERE} needs GLIBC_${floor}, but must run with ${older}`]);
	});
}

test("the addon needs no library that a system may lack; Node's own need of libstdc++ is found", { skip }, () => {
	const addon = needsOf(binary(HERE));
	assert.deepEqual(needsFaults(HERE, addon, ownFloor(addon)), []);
	const faults = needsFaults(HERE, needsOf(process.execPath), "99.0");
	assert.deepEqual(faults, [`${HERE} needs libstdc++.so.6, which is no part of the system`]);
});

test("the command fails for a binary above the floor, and says what it needs", { skip }, () => {
	const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, HERE, process.execPath], { encoding: "utf8" });
	assert.equal(status, 1);
	assert.match(stdout, /^needs .*libc\.so\.6.*, glibc 2\.\d+ or newer$/m);
	assert.match(stderr, /^error: .* needs GLIBC_2\.\d+, but must run with 2\.17$/m);
});

test("a file that is no binary is refused", () => {
	assert.throws(() => needsOf(CHECK), /is no binary of Linux, macOS or Windows/);
});

for (const [where, library] of /** @type {const} */ ([
	["linux-x64-gnu", "libssl.so.3"],
	["linux-arm64-musl", "libc.so.6"],
	["linux-x64-musl", "libunwind.so.1"],
	["darwin-arm64", "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib"],
	["win32-x64-msvc", "VCRUNTIME140.dll"],
	["win32-x64-msvc", "api-ms-win-crt-heap-l1-1-0.dll"],
])) {
	test(`not on every ${where}: ${library}`, () => {
		assert.deepEqual(needsFaults(where, { libraries: [library], versions: [] }), [
			`${where} needs ${library}, which is no part of the system`,
		]);
	});
}

for (const [where, libraries] of /** @type {[string, string[]][]} */ ([
	["linux-arm64-gnu", ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-aarch64.so.1"]],
	["linux-x64-musl", ["libc.so"]],
	["darwin-x64", ["/usr/lib/libSystem.B.dylib", "/System/Library/Frameworks/Security.framework/Versions/A/Security"]],
	["win32-x64-msvc", ["KERNEL32.dll", "bcryptprimitives.dll", "api-ms-win-core-synch-l1-2-0.dll"]],
])) {
	test(`on every ${where}: ${libraries.join(", ")}`, () => {
		assert.deepEqual(needsFaults(where, { libraries, versions: [] }), []);
	});
}

test("versions that no glibc promises, and any glibc where there is none, are faults", () => {
	const libraries = ["libc.so.6"];
	for (const version of ["GLIBC_PRIVATE", "GLIBC_ABI_DT_RELR", "GLIBC_2.100"]) {
		assert.equal(needsFaults("linux-x64-gnu", { libraries, versions: [version] }).length, 1, version);
	}
	assert.equal(needsFaults("linux-x64-gnu", { libraries, versions: ["GLIBC_2.2.5", "GLIBC_2.17"] }).length, 0);
	assert.equal(needsFaults("linux-x64-musl", { libraries: ["libc.so"], versions: ["GLIBC_2.2.5"] }).length, 1);
});

test("otool's list is read without the library's own name", () => {
	const list =
		"/w/agent.node:\n\t/w/deps/libagent.dylib (compatibility version 0.0.0, current version 0.0.0)\n" +
		"\t/usr/lib/libSystem.B.dylib (compatibility version 1.0.0, current version 1351.0.0)\n";
	assert.deepEqual(fromOtool(list, "/w/agent.node:\n/w/deps/libagent.dylib\n").libraries, [
		"/usr/lib/libSystem.B.dylib",
	]);
});

test("objdump's list of DLLs is read", () => {
	const list = "\nThe Import Tables\n\n\tDLL Name: KERNEL32.dll\n\tvma:  Hint/Ord\n\tDLL Name: ntdll.dll\n";
	assert.deepEqual(fromObjdump(list).libraries, ["KERNEL32.dll", "ntdll.dll"]);
});
