import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { ChildRegistry } from "../lib/child-registry.js";
import { GOOD, hasEnded, isAlive, openHost, until } from "./open-host.js";

/**
 * @param {import("node:test").TestContext} t
 */
async function opened(t) {
	const host = openHost(t);
	assert.ok((await host.dispatch("open", GOOD)).ok);
	return host;
}

test("closing kills the processes that the plugin started", async (t) => {
	const { dispatch, call, killed } = await opened(t);
	const pid = Number((await call("spawn")).ok.content[0].text);
	assert.ok(isAlive(pid));
	await dispatch("close");
	assert.deepEqual(killed, [pid]);
	await until(() => hasEnded(pid));
});

test("what these processes started is killed with them", { skip: process.platform === "win32" }, async (t) => {
	const { dispatch, call } = await opened(t);
	const shell = Number((await call("spawn_shell")).ok.content[0].text);
	await until(() => groupIsAlive(shell));
	await dispatch("close");
	await until(() => !groupIsAlive(shell));
});

test("closeNow kills them synchronously", async (t) => {
	const { host, call, killed } = await opened(t);
	const pid = Number((await call("spawn")).ok.content[0].text);
	host.closeNow();
	assert.deepEqual(killed, [pid]);
});

test("a process that has ended is forgotten", async (t) => {
	const { dispatch, call, killed } = await opened(t);
	await call("spawn_and_end");
	await dispatch("close");
	assert.deepEqual(killed, []);
});

test("a crash kills them", async (t) => {
	const { call, killed } = await opened(t);
	const pid = Number((await call("spawn")).ok.content[0].text);
	await call("exit");
	assert.deepEqual(killed, [pid]);
});

for (const way of /** @type {const} */ (["close", "closeNow"])) {
	test(`${way} kills them when the plugin is in an endless loop`, async (t) => {
		const { host, call, killed } = await opened(t);
		const looping = call("spawn_and_loop");
		await until(() => below(process.pid).length === 1);
		await host[way]();
		assert.equal((await looping).err?.code, "CLOSED");
		assert.equal(killed.length, 1);
		await until(() => hasEnded(killed[0] ?? 0));
	});
}

// Where the system does not tell a thread's children, closing still ends after its own deadline.
test("closing kills what the plugin waits for in execSync", {
	skip: !existsSync("/proc/thread-self/children"),
}, async (t) => {
	const { dispatch, call, killed } = await opened(t);
	void call("exec_sync");
	// The shell becomes the program only when it has been forked, so what runs below it is waited for too.
	await until(() => below(process.pid).flatMap(below).length === 1);
	await dispatch("close");
	assert.equal(killed.length, 2, "the shell and what it runs");
});

test("the registry reuses its slots and says when it is full", () => {
	const registry = new ChildRegistry();
	for (let pid = 1; pid <= 1024; pid++) assert.ok(registry.add(pid));
	assert.equal(registry.add(5000), false);
	registry.remove(7);
	assert.ok(new ChildRegistry(registry.buffer).add(5000));
	assert.equal(registry.recorded().length, 1024);
});

/**
 * The living children of a process.
 *
 * @param {number} parent
 */
function below(parent) {
	const rows = execFileSync("ps", ["-eo", "pid=,ppid=,stat=,comm="], { encoding: "utf8" }).split("\n");
	return rows.flatMap((row) => {
		const [pid, above, state, program] = row.trim().split(/\s+/);
		const counts = Number(above) === parent && !state?.startsWith("Z") && program !== "ps";
		return counts ? [Number(pid)] : [];
	});
}

/**
 * Whether more than the killed leader, a zombie, is left.
 *
 * @param {number} leader
 */
function groupIsAlive(leader) {
	const rows = execFileSync("ps", ["-eo", "pgid=,stat="], { encoding: "utf8" }).split("\n");
	return rows.some((row) => {
		const [group, state] = row.trim().split(/\s+/);
		return Number(group) === leader && !state?.startsWith("Z");
	});
}
