import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { CLI } from "../harness/paths.js";
import { StdioSession } from "../harness/stdio-session.js";
import { authorizationServer } from "./authorization-server.js";
import { dataFolder, pluginFolder, visit } from "./plugin.js";
import { protectedServer } from "./protected-server.js";

const LOGIN_URL = /^ {2}(http:\S+)$/m;

async function servers(t, auth = { oauth: {} }) {
	const data = dataFolder(t);
	const issuer = await authorizationServer(t);
	const server = await protectedServer(t, { isGood: issuer.isGood, issuer: issuer.url });
	const folder = pluginFolder(data.root, server.url, auth);
	return { data, issuer, server, args: ["--plugins-dir", folder] };
}

/** The command in a process of its own. `url` is the address that it shows. */
function start(t, args, env = {}) {
	const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...env } });
	t.after(() => child.kill("SIGKILL"));
	let out = "";
	let err = "";
	child.stdout.on("data", (chunk) => {
		out += chunk;
	});
	const url = new Promise((resolve, reject) => {
		child.stderr.on("data", (chunk) => {
			err += chunk;
			const found = LOGIN_URL.exec(err);
			if (found) resolve(found[1]);
		});
		child.once("close", () => reject(new Error(`no address: ${err}`)));
	});
	url.catch(() => {});
	const ended = once(child, "close").then(([code]) => ({ code, out, err }));
	return { child, url, ended };
}

describe("the commands login and logout", { timeout: 120_000 }, () => {
	test("login shows an address, waits for the browser and ends", async (t) => {
		const { args, server, issuer } = await servers(t);
		const login = start(t, ["login", "x", ...args]);
		assert.match((await visit(await login.url)).page, /logged in/);
		const { code, out, err } = await login.ended;
		assert.equal(code, 0, err);
		assert.equal(out, "");
		assert.ok(err.includes(`Logged in to ${server.url}.`), err);

		const list = await start(t, ["list", "--json", ...args]).ended;
		const listed = JSON.parse(list.out).plugins.find(({ prefix }) => prefix === "x");
		assert.deepEqual([listed.auth, listed.state, listed.tools], ["ok", "ready", 1]);

		const logout = await start(t, ["logout", "x", ...args, "--json"]).ended;
		assert.deepEqual(JSON.parse(logout.out), { prefix: "x", server: server.url, forgotten: true, revoked: true });
		assert.equal(issuer.at("/revoke").length, 2);
		const again = await start(t, ["logout", "x", ...args]).ended;
		assert.match(again.err, /no login/);
		assert.equal(again.code, 0);
	});

	test("login --json prints what it brought, without tokens", async (t) => {
		const { args, server, issuer } = await servers(t);
		const login = start(t, ["login", "x", ...args, "--json"]);
		await visit(await login.url);
		const { code, out, err } = await login.ended;
		assert.equal(code, 0, err);
		const { expiresAt, ...outcome } = JSON.parse(out);
		assert.deepEqual(outcome, { prefix: "x", server: server.url, issuer: issuer.url, scopes: [], keptIn: "file" });
		assert.equal(typeof expiresAt, "number");
		assert.doesNotMatch(out + err, /CANARY/);
	});

	test("Ctrl-C ends the waiting", async (t) => {
		const { args, data } = await servers(t);
		const login = start(t, ["login", "x", ...args]);
		await login.url;
		login.child.kill("SIGINT");
		assert.equal((await login.ended).code, 130);
		assert.throws(() => readdirSync(data.logins), { code: "ENOENT" });
	});

	test("what cannot be done is said", async (t) => {
		const { args } = await servers(t, undefined);
		const plain = pluginFolder(dataFolder(t).root, "http://127.0.0.1:9/mcp", undefined);
		for (const [words, code, wanted] of /** @type {[string[], number, RegExp][]} */ ([
			[["login", ...args], 2, /`login` needs PREFIX/],
			[["login", "x", "y", ...args], 2, /`y`/],
			[["login", "nobody", ...args], 1, /no plugin of the prefix "nobody"/],
			[["login", "x", "--plugins-dir", plain], 1, /no login/],
			[["logout", "x", "--plugins-dir", plain], 1, /no login/],
		])) {
			const ended = await start(t, words).ended;
			assert.equal(ended.code, code, ended.err);
			assert.match(ended.err, wanted);
			assert.doesNotMatch(ended.err, /\n\s+at /, "no stack trace");
		}
	});

	test("no token, code or secret is in any output, whatever is logged", async (t) => {
		const auth = { oauth: {} };
		const { args, issuer, data } = await servers(t, auth);
		issuer.behaviour.metadata = { token_endpoint_auth_methods_supported: ["client_secret_basic"] };
		const env = { AGENT_TOOLS_LOG: "trace" };
		const login = start(t, ["login", "x", ...args, "--json"], env);
		await visit(await login.url);
		const outputs = [await login.ended];

		const session = new StdioSession("legacy", process.execPath, [CLI, "mcp", ...args], {
			env: { ...process.env, ...env },
		});
		await session.open();
		const call = () =>
			session.request("tools/call", { name: "agent_tools_x_call", arguments: { toolName: "whoami", arguments: {} } });
		const replies = [await call()];
		issuer.endAccessTokens();
		replies.push(await call());
		for (const { result } of replies) assert.match(JSON.stringify(result), /welcome/);
		issuer.endAccessTokens();
		issuer.endRefreshTokens();
		replies.push(await call(), await call());
		session.child.stdin?.end();
		await session.ended;
		assert.match(JSON.stringify(replies.at(-1)), /agent-tools login x/);

		issuer.behaviour.metadata = {};
		const second = start(t, ["login", "x", ...args], env);
		await visit(await second.url);
		outputs.push(await second.ended, await start(t, ["list", "--json", ...args], env).ended);
		outputs.push(await start(t, ["logout", "x", ...args, "--json"], env).ended);

		const all = [...outputs.map(({ out, err }) => out + err), session.stderr, JSON.stringify(replies)];
		assert.ok(all.join("").length > 20_000, "the log is a log");
		// The address that the user opens holds the state and the challenge; what they protect is not in it.
		const verifiers = issuer.grants("authorization_code").map(({ form }) => form.get("code_verifier") ?? "");
		assert.equal(verifiers.length, 2);
		for (const text of all) {
			assert.doesNotMatch(text, /CANARY/);
			for (const verifier of verifiers) assert.ok(!text.includes(verifier));
		}
		assert.deepEqual(data.kept(), []);
	});
});
