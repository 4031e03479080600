import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { authorizationServer } from "./authorization-server.js";
import { authOf, call, dataFolder, open, visit } from "./plugin.js";
import { protectedServer } from "./protected-server.js";
import { sendJson } from "./serve.js";

/** A runtime that is logged in. */
async function loggedIn(t) {
	const data = dataFolder(t);
	const issuer = await authorizationServer(t);
	const server = await protectedServer(t, { isGood: issuer.isGood, issuer: issuer.url });
	const runtime = await open(t, server.url, { oauth: {} });
	await runtime.login("x", visit);
	assert.match((await call(runtime)).text, /welcome/);
	return { data, issuer, server, runtime };
}

const many = (count, work) => Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe("tokens are renewed", { timeout: 120_000 }, () => {
	test("once, for all calls that were refused at the same time", async (t) => {
		const { issuer, server, runtime } = await loggedIn(t);
		issuer.endAccessTokens();
		const before = server.of("tools/call").length;
		const answers = await many(8, () => call(runtime));
		for (const { text } of answers) assert.match(text, /welcome/);
		assert.equal(issuer.grants("refresh_token").length, 1);
		const calls = server.of("tools/call").slice(before);
		assert.equal(calls.filter(({ status }) => status === 200).length, 8);
		assert.ok(calls.filter(({ status }) => status === 401).length <= 8);
		const [{ form }] = issuer.grants("refresh_token");
		assert.equal(form.get("resource"), server.url);
	});

	test("before they end, without a refused request", async (t) => {
		const { issuer, server, runtime } = await loggedIn(t);
		issuer.behaviour.expiresIn = 1;
		await runtime.login("x", visit);
		issuer.behaviour.expiresIn = 3600;
		await new Promise((resolve) => setTimeout(resolve, 1500));
		const refused = () => server.received.filter(({ status }) => status === 401).length;
		const before = refused();
		for (const { text } of await many(4, () => call(runtime))) assert.match(text, /welcome/);
		assert.equal(refused(), before);
		assert.equal(issuer.grants("refresh_token").length, 1);
	});

	test("by several processes without losing a refresh token that may be used once", async (t) => {
		const { issuer, server } = await loggedIn(t);
		const runtimes = await many(4, () => open(t, server.url, { oauth: {} }));
		for (const runtime of runtimes) assert.match((await call(runtime)).text, /welcome/);
		for (let time = 0; time < 3; time++) {
			issuer.endAccessTokens();
			const answers = await Promise.all(runtimes.flatMap((runtime) => [call(runtime), call(runtime)]));
			for (const { text } of answers) assert.match(text, /welcome/);
		}
		// A server that sees one twice ends the login.
		assert.equal(issuer.grants("refresh_token").length, 3);
	});

	test("with the old refresh token where the server sends no new one", async (t) => {
		const { issuer, runtime } = await loggedIn(t);
		issuer.behaviour.keepsRefresh = true;
		for (let time = 0; time < 2; time++) {
			issuer.endAccessTokens();
			assert.match((await call(runtime)).text, /welcome/);
		}
		const tokens = issuer.grants("refresh_token").map(({ form }) => form.get("refresh_token"));
		assert.equal(tokens.length, 2);
		assert.equal(tokens[0], tokens[1]);
	});

	test("until the server ends the login: then it has to be made again, with the same client", async (t) => {
		const { data, issuer, runtime } = await loggedIn(t);
		issuer.endAccessTokens();
		issuer.endRefreshTokens();
		const refused = await call(runtime);
		assert.equal(refused.code, "UPSTREAM_AUTH", refused.text);
		assert.match(refused.hint ?? "", /agent-tools login x/);
		assert.doesNotMatch(refused.text, /CANARY/);
		assert.equal(await authOf(runtime), "needed");
		assert.doesNotMatch(data.kept()[0].text, /CANARY-(access|refresh)/);

		const again = await call(runtime);
		assert.equal(again.code, "UPSTREAM_AUTH", again.text);
		assert.equal(issuer.grants("refresh_token").length, 1, "what was refused is not sent again");
		assert.match(
			(await runtime.discover("x")).content.map((block) => block.text).join(),
			/whoami/,
			"tools stay listed",
		);

		await runtime.login("x", visit);
		assert.match((await call(runtime)).text, /welcome/);
		assert.equal(issuer.at("/register").length, 1);
	});

	test("later, when the authorization server is down meanwhile", async (t) => {
		const { issuer, runtime } = await loggedIn(t);
		issuer.endAccessTokens();
		issuer.behaviour.token = (_, response) => {
			sendJson(response, 503, { error: "temporarily_unavailable" });
			return true;
		};
		const down = await call(runtime);
		assert.equal(down.code, "UPSTREAM_UNREACHABLE", down.text);
		issuer.behaviour.token = undefined;
		assert.match((await call(runtime)).text, /welcome/);
	});
});
