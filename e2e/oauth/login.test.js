import assert from "node:assert/strict";
import { chmodSync, statSync } from "node:fs";
import { describe, test } from "node:test";
import { authorizationServer } from "./authorization-server.js";
import { authOf, call, dataFolder, open, visit } from "./plugin.js";
import { protectedServer } from "./protected-server.js";

/** @param {import("node:test").TestContext} t */
async function servers(t) {
	const data = dataFolder(t);
	const issuer = await authorizationServer(t);
	const server = await protectedServer(t, { isGood: issuer.isGood, issuer: issuer.url });
	return { data, issuer, server };
}

describe("a login in the browser", { timeout: 120_000 }, () => {
	test("registers a client, and calls are authorized from then on", async (t) => {
		const { data, issuer, server } = await servers(t);
		const runtime = await open(t, server.url, { oauth: {} });
		assert.equal(await authOf(runtime), "needed");

		const refused = await call(runtime);
		assert.equal(refused.code, "UPSTREAM_AUTH", refused.text);
		assert.match(refused.hint ?? "", /agent-tools login x/);
		for (let time = 0; time < 3; time++) {
			const { hint } = JSON.parse((await runtime.discover("x")).content[0].text);
			assert.match(hint, /agent-tools login x/, "however often it is tried");
		}
		assert.deepEqual(issuer.received, [], "a call asks nobody to log in");

		const pages = [];
		const outcome = await runtime.login("x", (url) => pages.push(visit(url)));
		const [page] = await Promise.all(pages);
		assert.match(page.page, /logged in/);
		assert.equal(outcome.server, server.url);
		assert.equal(outcome.issuer, issuer.url);
		assert.equal(outcome.keptIn, "file");
		assert.ok(Number(outcome.expiresAt) > Date.now() / 1000 + 3000, JSON.stringify(outcome));
		assert.doesNotMatch(JSON.stringify(outcome), /CANARY/);
		assert.equal(await authOf(runtime), "ok");

		assert.equal((await call(runtime)).text.includes("welcome"), true);
		assert.equal(issuer.grants("authorization_code").length, 1);
		const [{ json }] = issuer.at("/register");
		assert.deepEqual(json.redirect_uris, [issuer.at("/authorize")[0].form.get("redirect_uri")]);
		assert.match(json.redirect_uris[0], /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
		for (const { form } of [...issuer.at("/authorize"), ...issuer.at("/token")]) {
			assert.equal(form.get("resource"), server.url);
		}

		const [{ file }] = data.kept();
		assert.equal(statSync(file).mode & 0o777, 0o600);
		assert.equal(statSync(data.logins).mode & 0o777, 0o700);

		// Another process finds the login; a file that was opened to others is closed again.
		chmodSync(file, 0o644);
		const other = await open(t, server.url, { oauth: {} });
		assert.equal(await authOf(other), "ok");
		assert.match((await call(other)).text, /welcome/);
		assert.equal(statSync(file).mode & 0o777, 0o600);
	});

	test("a second login uses the same client and the same port", async (t) => {
		const { issuer, server } = await servers(t);
		const runtime = await open(t, server.url, { oauth: {} });
		for (let time = 0; time < 2; time++) await runtime.login("x", visit);
		assert.equal(issuer.at("/register").length, 1);
		const [first, second] = issuer.at("/authorize").map(({ form }) => form.get("redirect_uri"));
		assert.equal(first, second);
	});

	test("scopes: of the settings, else of the challenge, else of the description, with a refresh token", async (t) => {
		const { issuer, server: plain } = await servers(t);
		const isGood = issuer.isGood;
		const how = { isGood, issuer: issuer.url, metadata: { scopes_supported: ["described"] } };
		const described = await protectedServer(t, how);
		const challenged = await protectedServer(t, { ...how, challenge: 'Bearer scope="challenged two"' });
		const asked = async (url, settings = {}) => {
			const runtime = await open(t, url, { oauth: settings });
			const { scopes } = await runtime.login("x", visit);
			const { form } = issuer.at("/authorize").at(-1) ?? {};
			return { scope: form?.get("scope"), prompt: form?.get("prompt"), scopes };
		};
		assert.deepEqual(await asked(plain.url), { scope: null, prompt: null, scopes: [] });
		assert.equal((await asked(described.url)).scope, "described");
		assert.equal((await asked(challenged.url)).scope, "challenged two");
		assert.deepEqual((await asked(challenged.url, { scopes: ["mine"] })).scopes, ["mine"]);
		issuer.behaviour.metadata = { scopes_supported: ["offline_access"] };
		const offline = await asked(described.url);
		assert.equal(offline.scope, "described offline_access");
		assert.equal(offline.prompt, "consent");
	});

	test("a client that is registered already proves itself as the server wants it", async (t) => {
		const { issuer, server } = await servers(t);
		process.env.E2E_CLIENT_SECRET = "CANARY s:ü";
		t.after(() => delete process.env.E2E_CLIENT_SECRET);
		for (const method of ["client_secret_basic", "client_secret_post"]) {
			issuer.clients.set("mine", { secret: "CANARY s:ü", method });
			issuer.behaviour.metadata = { token_endpoint_auth_methods_supported: [method], registration_endpoint: undefined };
			const runtime = await open(t, server.url, {
				// biome-ignore lint/suspicious/noTemplateCurlyInString: the runtime expands it
				oauth: { clientId: "mine", clientSecret: "${E2E_CLIENT_SECRET}" },
			});
			if (method === "client_secret_basic") {
				await assert.rejects(
					open(t, server.url, { oauth: {} }).then((other) => other.login("x", visit)),
					{
						code: "UPSTREAM_AUTH",
						hint: /clientId/,
					},
				);
			}
			// Basic is form-encoded first (RFC 6749, section 2.3.1); this server decodes it as URI.
			await runtime.login("x", visit).catch((error) => {
				if (method === "client_secret_post") throw error;
			});
			assert.deepEqual(issuer.at("/register"), []);
		}
		const proofs = issuer
			.grants("authorization_code")
			.map(({ headers, form }) => [
				Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64").toString(),
				form.get("client_secret"),
			]);
		assert.deepEqual(proofs, [
			["mine:CANARY+s%3A%C3%BC", null],
			["", "CANARY s:ü"],
		]);
	});

	test("a client metadata document is the client where the server knows that", async (t) => {
		const { issuer, server } = await servers(t);
		const document = "https://example.com/client.json";
		issuer.clients.set(document, { method: "none" });
		issuer.behaviour.metadata = { client_id_metadata_document_supported: true };
		const runtime = await open(t, server.url, { oauth: { clientMetadataUrl: document } });
		await runtime.login("x", visit);
		assert.deepEqual(issuer.at("/register"), []);
		assert.equal(issuer.at("/authorize")[0].form.get("client_id"), document);
		assert.match((await call(runtime)).text, /welcome/);
	});

	test("logout tells the server and forgets", async (t) => {
		const { data, issuer, server } = await servers(t);
		const runtime = await open(t, server.url, { oauth: {} });
		await runtime.login("x", visit);
		assert.match((await call(runtime)).text, /welcome/);
		assert.deepEqual(await runtime.logout("x"), { server: server.url, forgotten: true, revoked: true });
		assert.deepEqual(
			issuer.at("/revoke").map(({ form }) => form.get("token_type_hint")),
			["refresh_token", "access_token"],
		);
		assert.deepEqual(data.kept(), []);
		assert.equal(await authOf(runtime), "needed");
		assert.equal((await call(runtime)).code, "UPSTREAM_AUTH");
		assert.deepEqual(await runtime.logout("x"), { server: server.url, forgotten: false, revoked: false });
	});

	test("a plugin without a login says so", async (t) => {
		dataFolder(t);
		const none = await open(t, "http://127.0.0.1:9/mcp", undefined);
		assert.equal(await authOf(none), undefined);
		const command = await open(t, "http://127.0.0.1:9/mcp", { tokenCommand: ["true"] });
		assert.equal(await authOf(command), "none");
		for (const runtime of [none, command]) {
			await assert.rejects(runtime.login("x", visit), { code: "CONFIG_INVALID", hint: /oauth/ });
			await assert.rejects(runtime.logout("x"), { code: "CONFIG_INVALID", hint: /oauth/ });
			await assert.rejects(runtime.login("y", visit), { code: "CONFIG_INVALID", hint: /x/ });
		}
	});
});
