import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { authorizationServer } from "./authorization-server.js";
import { call, dataFolder, open } from "./plugin.js";
import { protectedServer } from "./protected-server.js";

const SECRET = "CANARY-client-secret";

async function servers(t) {
	dataFolder(t);
	const issuer = await authorizationServer(t);
	const server = await protectedServer(t, { isGood: issuer.isGood, issuer: issuer.url });
	issuer.clients.set("robot", { secret: SECRET, method: "client_secret_basic" });
	return { issuer, server };
}

describe("a program logs in for itself", { timeout: 120_000 }, () => {
	test("with client credentials, at the place that the server names", async (t) => {
		const { issuer, server } = await servers(t);
		const auth = { clientCredentials: { clientId: "robot", clientSecret: SECRET, scopes: ["a", "b"] } };
		const runtime = await open(t, server.url, auth);
		const answers = await Promise.all(Array.from({ length: 4 }, () => call(runtime)));
		for (const { text } of answers) assert.match(text, /welcome/);
		const [{ form }, ...more] = issuer.grants("client_credentials");
		assert.deepEqual(more, [], "one token for all");
		assert.equal(form.get("scope"), "a b");
		assert.equal(form.get("resource"), server.url);

		issuer.endAccessTokens();
		assert.match((await call(runtime)).text, /welcome/);
		assert.equal(issuer.grants("client_credentials").length, 2);
	});

	test("at the place that the settings name", async (t) => {
		const { issuer, server } = await servers(t);
		const tokenUrl = `${issuer.url}/token`;
		const auth = { clientCredentials: { clientId: "robot", clientSecret: SECRET, tokenUrl } };
		assert.match((await call(await open(t, server.url, auth))).text, /welcome/);
		assert.deepEqual(
			issuer.received.map(({ path }) => path),
			["/token"],
		);
	});

	test("and is told why it may not, without its secret", async (t) => {
		const { issuer, server } = await servers(t);
		issuer.clients.set("robot", { secret: "another", method: "client_secret_basic" });
		const auth = { clientCredentials: { clientId: "robot", clientSecret: SECRET } };
		const refused = await call(await open(t, server.url, auth));
		assert.equal(refused.code, "UPSTREAM_AUTH", refused.text);
		assert.match(refused.text, /invalid_client/);
		assert.match(refused.hint ?? "", /clientSecret/);
		assert.doesNotMatch(refused.text, /CANARY/);
	});

	test("a variable that is not set is named", async (t) => {
		const { server } = await servers(t);
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the runtime expands it
		const auth = { clientCredentials: { clientId: "robot", clientSecret: "${E2E_NOT_SET}" } };
		const refused = await call(await open(t, server.url, auth));
		assert.equal(refused.code, "CONFIG_INVALID", refused.text);
		assert.match(refused.text, /E2E_NOT_SET/);
	});
});
