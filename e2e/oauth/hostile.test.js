import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { authorizationServer } from "./authorization-server.js";
import { call, dataFolder, open, visit } from "./plugin.js";
import { protectedServer } from "./protected-server.js";
import { listen, sendJson } from "./serve.js";

async function servers(t) {
	const data = dataFolder(t);
	const issuer = await authorizationServer(t);
	const server = await protectedServer(t, { isGood: issuer.isGood, issuer: issuer.url });
	return { data, issuer, server, runtime: await open(t, server.url, { oauth: {} }) };
}

/** A server that nobody may ask. */
async function trap(t) {
	const received = [];
	const url = await listen(t, (request, response) => {
		received.push(`${request.method} ${request.url}`);
		response.writeHead(404).end();
	});
	return { url, received };
}

/** A login that fails, and its whole text. */
async function failure(runtime, browser = visit) {
	const error = await runtime.login("x", browser).then(
		() => assert.fail("the login succeeded"),
		(refused) => refused,
	);
	const text = `${error.message} ${error.hint} ${error.stack}`;
	assert.doesNotMatch(text, /CANARY/);
	return { code: error.code, text };
}

describe("servers and browsers that are not to be trusted", { timeout: 120_000 }, () => {
	test("a browser that comes back without the right state ends nothing", async (t) => {
		const { issuer, runtime } = await servers(t);
		const statuses = [];
		await runtime.login("x", async (url) => {
			const back = new URL(new URL(url).searchParams.get("redirect_uri") ?? "");
			for (const query of ["", "?code=stolen", "?code=stolen&state=wrong", "?error=access_denied&state="]) {
				statuses.push((await fetch(new URL(query || back.href, back))).status);
			}
			statuses.push((await visit(url)).status);
		});
		assert.deepEqual(statuses, [400, 400, 400, 400, 200]);
		assert.equal(issuer.grants("authorization_code").length, 1);
	});

	for (const [name, iss] of /** @type {[string, string | null][]} */ ([
		["another issuer", "https://evil.example"],
		["no issuer where one was promised", null],
	])) {
		test(`a code from ${name} goes nowhere`, async (t) => {
			const { issuer, runtime } = await servers(t);
			issuer.behaviour.iss = iss;
			assert.equal((await failure(runtime)).code, "UPSTREAM_AUTH");
			assert.deepEqual(issuer.at("/token"), []);
		});
	}

	test("a refused access says why", async (t) => {
		const { data, issuer, runtime } = await servers(t);
		issuer.behaviour.sendsTo = (parameters) => {
			const query = new URLSearchParams({ error: "access_denied", error_description: "not you\u001b[2J" });
			query.set("state", parameters.get("state") ?? "");
			return `${issuer.at("/authorize")[0].form.get("redirect_uri")}?${query}`;
		};
		const { code, text } = await failure(runtime);
		assert.equal(code, "UPSTREAM_AUTH");
		assert.match(text, /access_denied: not you \[2J/);
		assert.throws(data.kept, { code: "ENOENT" });
	});

	test("without PKCE there is no login", async (t) => {
		const { issuer, runtime } = await servers(t);
		for (const methods of [["plain"], undefined]) {
			issuer.behaviour.metadata = { code_challenge_methods_supported: methods };
			assert.match((await failure(runtime)).text, /PKCE/);
		}
		assert.deepEqual(issuer.at("/authorize"), []);
		assert.deepEqual(issuer.at("/register"), []);
	});

	test("a server may describe itself alone", async (t) => {
		const { issuer } = await servers(t);
		for (const resource of ["https://example.com/mcp", "http://127.0.0.1:1/mcp", "nonsense"]) {
			const server = await protectedServer(t, { isGood: () => false, issuer: issuer.url, metadata: { resource } });
			const runtime = await open(t, server.url, { oauth: {} });
			assert.equal((await failure(runtime)).code, "UPSTREAM_AUTH", resource);
		}
		assert.deepEqual(issuer.received, []);
	});

	test("an authorization server speaks for itself alone", async (t) => {
		const { issuer, runtime } = await servers(t);
		issuer.behaviour.metadata = { issuer: "https://example.com" };
		assert.match((await failure(runtime)).text, /issuer/);
		assert.deepEqual(issuer.at("/authorize"), []);
	});

	test("nothing is sent to an address without TLS", async (t) => {
		const { issuer, runtime } = await servers(t);
		for (const key of ["token_endpoint", "authorization_endpoint", "registration_endpoint"]) {
			issuer.behaviour.metadata = { [key]: "http://example.com/x" };
			assert.match((await failure(runtime)).text, /https/, key);
		}
		assert.deepEqual(issuer.at("/token"), []);
	});

	test("no secret follows a redirect", async (t) => {
		const { issuer, runtime } = await servers(t);
		const other = await trap(t);
		issuer.behaviour.token = (_, response) => {
			response.writeHead(307, { location: `${other.url}/steal` }).end();
			return true;
		};
		assert.equal((await failure(runtime)).code, "UPSTREAM_AUTH");
		assert.deepEqual(other.received, []);
	});

	test("a token goes to the origin that it is for", async (t) => {
		const { issuer } = await servers(t);
		const other = await trap(t);
		let moved = false;
		const server = await protectedServer(t, { isGood: issuer.isGood, issuer: issuer.url });
		const front = await listen(t, async (request, response) => {
			if (moved) return response.writeHead(307, { location: `${other.url}/mcp` }).end();
			const { host, ...headers } = request.headers;
			const chunks = [];
			for await (const chunk of request) chunks.push(chunk);
			const passed = await fetch(new URL(request.url ?? "/", server.url), {
				method: request.method,
				headers: /** @type {Record<string, string>} */ (headers),
				...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
			});
			const text = (await passed.text()).replaceAll(new URL(server.url).origin, front);
			response.writeHead(passed.status, {
				"content-type": "application/json",
				"www-authenticate": (passed.headers.get("www-authenticate") ?? "").replaceAll(
					new URL(server.url).origin,
					front,
				),
			});
			response.end(text);
		});
		const runtime = await open(t, `${front}/mcp`, { oauth: {} });
		await runtime.login("x", visit);
		assert.match((await call(runtime)).text, /welcome/);
		moved = true;
		const refused = await call(runtime);
		assert.match(refused.error ?? "", /another origin/);
		assert.deepEqual(other.received, []);
	});

	test("a secret that a server repeats is not shown", async (t) => {
		const { issuer, runtime } = await servers(t);
		issuer.behaviour.token = (form, response) => {
			const echo = [...form.values()].join(" ");
			sendJson(response, 400, { error: "invalid_grant", error_description: `no: ${echo}` });
			return true;
		};
		const { text } = await failure(runtime);
		assert.match(text, /invalid_grant/);
		const verifier = issuer.at("/token")[0].form.get("code_verifier") ?? "";
		assert.ok(verifier.length > 40 && !text.includes(verifier), text);
	});

	test("descriptions and tokens that nobody can use are refused", async (t) => {
		const { data, issuer, runtime } = await servers(t);
		issuer.behaviour.metadata = { padding: "x".repeat(300_000) };
		assert.match((await failure(runtime)).text, /more than/);
		issuer.behaviour.metadata = {};
		for (const body of [
			{ access_token: "CANARY a", token_type: "Bearer" },
			{ access_token: "CANARY", token_type: "DPoP" },
			{ token_type: "Bearer" },
			["CANARY"],
		]) {
			issuer.behaviour.token = (_, response) => {
				sendJson(response, 200, body);
				return true;
			};
			await failure(runtime);
		}
		assert.throws(data.kept, { code: "ENOENT" });
	});
});
