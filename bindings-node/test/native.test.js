import assert from "node:assert/strict";
import { test } from "node:test";
import { findNative } from "../lib/native.js";
import { TRIPLES, triple } from "../lib/platform.js";

const glibc = () => ({ header: { glibcVersionRuntime: "2.36" } });
const musl = () => ({ header: {} });

/**
 * @param {Partial<Parameters<typeof findNative>[0]>} changes
 * @returns {Parameters<typeof findNative>[0]}
 */
function surroundings(changes) {
	return {
		env: {},
		host: { platform: "linux", arch: "x64", report: glibc },
		dir: "/pkg",
		exists: () => false,
		require: (id) => ({ id }),
		...changes,
	};
}

test("every published triple is the triple of some host", () => {
	const hosts = [
		["linux", "x64", glibc],
		["linux", "arm64", glibc],
		["linux", "x64", musl],
		["linux", "arm64", musl],
		["darwin", "x64", musl],
		["darwin", "arm64", musl],
		["win32", "x64", musl],
	];
	const found = hosts.map(([platform, arch, report]) =>
		triple(/** @type {import("../lib/platform.js").Host} */ ({ platform, arch, report })),
	);
	assert.deepEqual(found, TRIPLES);
});

test("a host without a process report counts as glibc", () => {
	const report = () => {
		throw new Error("reports are off");
	};
	assert.equal(triple({ platform: "linux", arch: "x64", report }), "linux-x64-gnu");
});

test("this host has a triple", () => {
	assert.match(triple(), /^[a-z0-9]+-[a-z0-9]+/);
});

test("the environment variable wins", () => {
	const native = findNative(surroundings({ env: { AGENT_TOOLS_NATIVE_PATH: "/x.node" }, exists: () => true }));
	assert.deepEqual(native, { id: "/x.node" });
});

test("a local build comes before the installed package", () => {
	const native = findNative(
		surroundings({ exists: (file) => file.endsWith("agent-tools-runtime.linux-x64-gnu.node") }),
	);
	assert.match(
		/** @type {{id: string}} */ (/** @type {unknown} */ (native)).id,
		/agent-tools-runtime\.linux-x64-gnu\.node$/,
	);
});

test("otherwise the platform's package is loaded", () => {
	const native = findNative(surroundings({ host: { platform: "linux", arch: "arm64", report: musl } }));
	assert.deepEqual(native, { id: "@rckflr/agent-tools-runtime-linux-arm64-musl" });
});

/** @param {string} message */
const failing = (message) => () => {
	throw new Error(message);
};

test("a missing package names platform, package, cause and remedy", () => {
	const require = failing("Cannot find module 'x'\nRequire stack:\n- y");
	assert.throws(
		() => findNative(surroundings({ require })),
		(/** @type {any} */ error) => {
			assert.equal(error.name, "AgentToolsError");
			assert.equal(error.code, "NATIVE_MISSING");
			assert.match(
				error.message,
				/linux-x64-gnu .*@rckflr\/agent-tools-runtime-linux-x64-gnu: Cannot find module 'x'$/,
			);
			assert.match(error.hint, /--omit=optional.*lockfile.*npm install --include=optional/s);
			assert.match(error.cause.message, /Require stack/);
			return true;
		},
	);
});

test("a host that no binary is published for is told which there are", () => {
	const host = { platform: "freebsd", arch: "x64", report: musl };
	const hint = /there is one for each of linux-x64-gnu.*npm run build/s;
	assert.throws(() => findNative(surroundings({ host, require: failing("no") })), { code: "NATIVE_MISSING", hint });
});

test("a broken local build and a wrong override have remedies of their own", () => {
	const require = failing("invalid ELF header");
	assert.throws(() => findNative(surroundings({ require, exists: () => true })), {
		message: /invalid ELF header/,
		hint: /npm run build/,
	});
	assert.throws(() => findNative(surroundings({ require, env: { AGENT_TOOLS_NATIVE_PATH: "/x.node" } })), {
		hint: /AGENT_TOOLS_NATIVE_PATH/,
	});
});
