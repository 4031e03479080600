import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "./open-host.js";

const BIN = fileURLToPath(new URL("../bin/agent-tools-runtime.js", import.meta.url));
const NATIVE = fileURLToPath(new URL("./fixtures/fake-native.cjs", import.meta.url));

const onWindows = process.platform === "win32" && "there a folder that is in use cannot be deleted";

/**
 * @param {import("node:test").TestContext} t
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function start(t, args, env = {}) {
	const child = spawn(process.execPath, [BIN, ...args], {
		env: { ...process.env, AGENT_TOOLS_NATIVE_PATH: NATIVE, AGENT_TOOLS_PLUGINS_DIR: "", ...env },
	});
	t.after(() => child.kill("SIGKILL"));
	const seen = { out: "", err: "" };
	child.stdout.setEncoding("utf8").on("data", (text) => {
		seen.out += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text) => {
		seen.err += text;
	});
	const ended = once(child, "close").then(([code, signal]) => ({ ...seen, code, signal }));

	/** @param {RegExp} pattern */
	const says = async (pattern) => {
		while (!pattern.test(seen.err)) await once(child.stderr, "data");
	};
	return { child, ended, says };
}

test("mcp ends with stdin, and says nothing on stdout", async (t) => {
	const { child, ended } = start(t, ["mcp", "--view", "flat"], { FAKE_WARNING: "a plugin was left out" });
	child.stdin.end();
	const { code, out, err } = await ended;
	assert.equal(code, 0);
	assert.equal(out, "");
	assert.match(err, /warning: a plugin was left out/);
	assert.match(err, /stdio \{"view":\{"kind":"flat"\}\}/);
	assert.match(err, /\[fake\] close\n/);
});

test("the view comes from the flag, the environment, the configuration, in this order", async (t) => {
	const kind = async (/** @type {string[]} */ args, env = {}) => {
		const { child, ended } = start(t, ["mcp", ...args], env);
		child.stdin.end();
		return (await ended).err.match(/stdio \{"view":\{"kind":"(\w+)"/)?.[1];
	};
	assert.equal(await kind([]), "auto");
	assert.equal(await kind([], { FAKE_VIEW: "facade" }), "facade");
	assert.equal(await kind([], { FAKE_VIEW: "facade", AGENT_TOOLS_VIEW: "unified" }), "unified");
	assert.equal(await kind(["--view", "flat"], { AGENT_TOOLS_VIEW: "unified" }), "flat");
	const flag = await start(t, ["mcp", "--view", "falt"]).ended;
	assert.match(flag.err, /^error: --view is `auto`, `unified`, `facade`, `flat`, not `falt`$/m);
	assert.equal(flag.code, 2);
	const variable = await start(t, ["http"], { AGENT_TOOLS_VIEW: "falt" }).ended;
	assert.match(variable.err, /^error: AGENT_TOOLS_VIEW is /m);
});

test("without a command, a program gets mcp", async (t) => {
	const { child, ended } = start(t, []);
	child.stdin.end();
	assert.match((await ended).err, /\[fake\] stdio/);
});

for (const [signal, code] of /** @type {const} */ ([
	["SIGTERM", 143],
	["SIGINT", 130],
	["SIGHUP", 129],
])) {
	test(`${signal} closes and ends with ${code}`, async (t) => {
		const { child, ended, says } = start(t, ["mcp"]);
		await says(/stdio/);
		child.kill(signal);
		const outcome = await ended;
		assert.equal(outcome.code, code);
		assert.match(outcome.err, /\[fake\] close\n/);
	});
}

test("http that writes to a file outlives its terminal, as under nohup", async (t) => {
	const dir = mkdtempSync(path.join(tmpdir(), "hangup-"));
	const file = path.join(dir, "nohup.out");
	const output = openSync(file, "a");
	for (const stdout of /** @type {const} */ ([output, "ignore"])) {
		writeFileSync(file, "");
		const child = spawn(process.execPath, [BIN, "http"], {
			env: { ...process.env, AGENT_TOOLS_NATIVE_PATH: NATIVE },
			stdio: ["ignore", stdout, output],
		});
		t.after(() => child.kill("SIGKILL"));
		const ended = once(child, "exit");
		await until(() => readFileSync(file, "utf8").includes("Ctrl-C ends"));
		child.kill("SIGHUP");
		await new Promise((resolve) => setTimeout(resolve, 300));
		child.kill("SIGTERM");
		assert.equal((await ended)[0], 143);
	}
	closeSync(output);
	rmSync(dir, { recursive: true });
});

test("http that writes to a pipe ends with SIGHUP", async (t) => {
	const { child, ended, says } = start(t, ["http"]);
	await says(/Ctrl-C ends/);
	child.kill("SIGHUP");
	assert.equal((await ended).code, 129);
});

test("mcp refuses a plugin that is not there, and names those that are", async (t) => {
	const near = await start(t, ["mcp", "--plugin", "dmeo"], { FAKE_WARNING: "a plugin was left out" }).ended;
	assert.equal(near.code, 2);
	assert.equal(near.out, "");
	assert.match(near.err, /^warning: a plugin was left out\nerror: there is no plugin `dmeo`$/m);
	assert.match(near.err, /^hint: Did you mean `demo`\? The plugins are: demo, broken\.$/m);
	assert.doesNotMatch(near.err, /stdio/);
	const none = await start(t, ["mcp", "--plugin", "demo"], { FAKE_EMPTY: "1" }).ended;
	assert.match(none.err, /^hint: There are no plugins; add a server with `agent-tools add`/m);
	const { child, ended } = start(t, ["mcp", "--plugin", "demo"]);
	child.stdin.end();
	assert.match((await ended).err, /stdio \{"view":\{"kind":"auto","plugin":"demo"\}\}/);
});

test("a second Ctrl-C ends at once, though closing hangs", async (t) => {
	const { child, ended, says } = start(t, ["http"], { FAKE_HANGS: "1" });
	await says(/listens on/);
	child.kill("SIGINT");
	await says(/close/);
	await new Promise((resolve) => setTimeout(resolve, 300));
	child.kill("SIGINT");
	const { code, err } = await ended;
	assert.equal(code, 130);
	assert.match(err, /closeNow/);
});

test("a close that hangs is given up", async (t) => {
	const { child, ended } = start(t, ["mcp"], { FAKE_HANGS: "1" });
	child.stdin.end();
	const { code, err } = await ended;
	assert.equal(code, 0);
	assert.match(err, /closeNow/);
});

test("http says where it listens and how to connect; options go before the environment", async (t) => {
	const env = { AGENT_TOOLS_HTTP_PORT: "7", AGENT_TOOLS_HTTP_HOST: "localhost", AGENT_TOOLS_HTTP_TOKEN: "secret" };
	const { child, ended, says } = start(t, ["http", "--port", "9", "--allowed-host", "a.example"], env);
	await says(/Ctrl-C ends/);
	child.kill("SIGTERM");
	const { err, out } = await ended;
	assert.equal(out, "");
	assert.match(
		err,
		/http \{"host":"localhost","port":9,"token":"secret","allowedHosts":\["a\.example"\],"view":"auto"\}/,
	);
	assert.match(err, /listens on http:\/\/127\.0\.0\.1:9\/mcp\nplugins: demo, broken/);
	assert.match(err, /pi install npm:agent-tools-runtime-pi-extension/);
	assert.match(err, /defineMcpClientConnection/);
	assert.match(err, /mcpServers/);
});

test("a busy port is one line with its remedy", async (t) => {
	const { code, err } = await start(t, ["http", "--port", "1"]).ended;
	assert.equal(code, 1);
	assert.match(err, /^error: port 1 on 127\.0\.0\.1 is taken by another program\nhint: Choose another one/m);
	assert.doesNotMatch(err, /\n\s+at /);
});

test("list prints a table or JSON", async (t) => {
	const plain = await start(t, ["list"]).ended;
	assert.equal(
		plain.out,
		[
			"PREFIX  STATE   TOOLS  SKILLS  PLUGIN",
			"demo    ready   6      2       agent-tools-plugin-demo",
			"broken  failed  -      -       agent-tools-plugin-broken: no token",
			"",
		].join("\n"),
	);
	const json = await start(t, ["list", "--json"]).ended;
	assert.equal(JSON.parse(json.out).plugins[0].tools, 6);
	const empty = await start(t, ["list"], { FAKE_EMPTY: "1" }).ended;
	assert.match(empty.err, /no plugins; add a server/);
});

test("plugin folders come from options and the environment", async (t) => {
	const { err } = await start(t, ["list", "--plugins-dir", "x"], { AGENT_TOOLS_PLUGINS_DIR: "/env" }).ended;
	assert.match(err, new RegExp(`open ${path.resolve("x")}\\|/env`));
});

test("a wrong command line ends with 2, a missing binary with 1", async (t) => {
	const usage = await start(t, ["lst"]).ended;
	assert.equal(usage.code, 2);
	assert.equal(usage.err, "error: unknown command `lst`\nhint: Did you mean `list`?\n");
	for (const args of [
		["help", "lst"],
		["lst", "--help"],
		["help", "lst", "--help"],
	]) {
		const { code, out, err } = await start(t, args).ended;
		assert.deepEqual([code, out, err], [2, "", usage.err], args.join(" "));
	}
	const missing = await start(t, ["list"], { AGENT_TOOLS_NATIVE_PATH: "/nowhere.node" }).ended;
	assert.equal(missing.code, 1);
	assert.match(missing.err, /^error: The native part .*\nhint: Correct or unset AGENT_TOOLS_NATIVE_PATH/);
});

test("who used npx is told what npx can start", async (t) => {
	const { err } = await start(t, ["wonderful"], { npm_command: "exec" }).ended;
	assert.match(err, /^hint: Run `npx @rckflr\/agent-tools-runtime help` to see/m);
	assert.match((await start(t, ["wonderful"], { npm_command: "" }).ended).err, /^hint: Run `agent-tools help` to see/m);
});

test("help and version need no binary", async (t) => {
	const env = { AGENT_TOOLS_NATIVE_PATH: "/nowhere.node" };
	assert.match((await start(t, ["help"], env).ended).out, /Usage: agent-tools/);
	assert.match((await start(t, ["--version"], env).ended).out, /^agent-tools-runtime \d+\.\d+\.\d+\n$/);
});

test("a working folder that is gone is said, by whatever command needs one", { skip: onWindows }, async (t) => {
	const dir = mkdtempSync(path.join(tmpdir(), "gone-"));
	const inGone = (/** @type {string[]} */ ...args) => {
		const script = 'rmdir "$PWD" 2>/dev/null; exec "$0" "$@"';
		return spawn("sh", ["-c", script, process.execPath, BIN, ...args], {
			cwd: mkdtempSync(path.join(dir, "folder-")),
			env: { ...process.env, AGENT_TOOLS_NATIVE_PATH: NATIVE },
			stdio: ["ignore", "ignore", "pipe"],
		});
	};
	t.after(() => rmSync(dir, { recursive: true }));
	for (const args of [["doctor"], ["init", "--all"], ["list"], ["add", "x", "--no-check", "--", "true"], ["mcp"]]) {
		const child = inGone(...args);
		const ended = once(child, "close");
		let err = "";
		for await (const text of child.stderr) err += text;
		assert.equal((await ended)[0], 1, args[0]);
		assert.match(err, /^error: the working folder is gone\nhint: .*cd ~\n$/);
	}
	assert.equal((await once(inGone("version"), "close"))[0], 0);
});

const noFull = !existsSync("/dev/full") && "only Linux has a device that is full";

for (const args of [["list"], ["list", "--json"], ["help"], ["version"]]) {
	test(`${args.join(" ")}: output that cannot be written is a failure`, { skip: noFull }, async (t) => {
		const full = openSync("/dev/full", "w");
		const child = spawn(process.execPath, [BIN, ...args], {
			env: { ...process.env, AGENT_TOOLS_NATIVE_PATH: NATIVE },
			stdio: ["ignore", full, "pipe"],
		});
		closeSync(full);
		t.after(() => child.kill("SIGKILL"));
		const ended = once(child, "close");
		let err = "";
		for await (const text of /** @type {import("node:stream").Readable} */ (child.stderr)) err += text;
		const [code] = await ended;
		assert.equal(code, 1);
		assert.match(err, /^error: stdout cannot be written: .*no space left/m);
		assert.doesNotMatch(err, /\n\s+at |report it/);
	});
}

test("a reader that is gone is no failure, and many prints are no warning", async (t) => {
	const { child, ended } = start(t, ["list"]);
	child.stdout.destroy();
	const { code, err } = await ended;
	assert.equal(code, 0, err);
	const print = new URL("../lib/cli/report.js", import.meta.url);
	const many = `const { print } = await import("${print}"); for (let i = 0; i < 20; i++) await print(".");`;
	const printing = spawn(process.execPath, ["--input-type=module", "--eval", many]);
	let said = "";
	for await (const text of printing.stderr) said += text;
	assert.equal(said, "");
});
