import { createHash, randomUUID } from "node:crypto";
import { listen, readBody, sendJson } from "./serve.js";

/**
 * How the server differs from a well-behaved one.
 *
 * @typedef {object} Behaviour
 * @property {Record<string, unknown>} [metadata] written over its description
 * @property {number} [expiresIn] life of an access token in seconds
 * @property {boolean} [keepsRefresh] a refresh token may be used again
 * @property {string | null} [iss] what it sends the browser back with; null: nothing
 * @property {(parameters: URLSearchParams) => string | undefined} [sendsTo] where it sends the browser instead
 * @property {(form: URLSearchParams, response: import("node:http").ServerResponse) => boolean} [token] answers instead
 * @property {Record<string, unknown>} [registers] written over what it registers
 *
 * @typedef {{path: string, headers: import("node:http").IncomingHttpHeaders, form: URLSearchParams, json?: any}} Received
 */

/**
 * An authorization server on 127.0.0.1 whose user agrees to everything at once. All it gives out has CANARY in it. Like a
 * careful server, it ends a whole login when a refresh token comes back that was used before.
 *
 * @param {import("node:test").TestContext} t
 */
export async function authorizationServer(t) {
	/** @type {Behaviour} */
	const behaviour = {};
	/** @type {Received[]} */
	const received = [];
	/** @type {Map<string, {clientId: string, challenge: string, redirect: string, resource: string, scope: string}>} */
	const codes = new Map();
	/** @type {Map<string, {family: string, used: boolean}>} */
	const refreshTokens = new Map();
	/** @type {Map<string, string>} access tokens that are good, and the login that they belong to */
	const accessTokens = new Map();
	/** @type {Map<string, {secret?: string, method: string}>} */
	const clients = new Map();

	const url = await listen(t, async (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? "/", url);
		const body = await readBody(request);
		const isJson = request.headers["content-type"] === "application/json";
		const form = request.method === "GET" ? searchParams : new URLSearchParams(isJson ? "" : body);
		const json = isJson ? JSON.parse(body) : undefined;
		received.push({ path: pathname, headers: request.headers, form, json });
		const answer = ANSWERS[`${request.method} ${pathname}`];
		if (!answer) return sendJson(response, 404, { error: "not_found" });
		return answer({ request, response, form, json });
	});

	const ANSWERS = {
		"GET /.well-known/oauth-authorization-server": ({ response }) =>
			sendJson(response, 200, {
				issuer: url,
				authorization_endpoint: `${url}/authorize`,
				token_endpoint: `${url}/token`,
				registration_endpoint: `${url}/register`,
				revocation_endpoint: `${url}/revoke`,
				code_challenge_methods_supported: ["S256"],
				token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
				authorization_response_iss_parameter_supported: true,
				...behaviour.metadata,
			}),

		"POST /register": ({ response, json }) => {
			const id = `client-${randomUUID()}`;
			const secret = json.token_endpoint_auth_method === "none" ? undefined : `CANARY-secret-${randomUUID()}`;
			clients.set(id, { secret, method: json.token_endpoint_auth_method });
			sendJson(response, 201, { ...json, client_id: id, client_secret: secret, ...behaviour.registers });
		},

		"GET /authorize": ({ response, form }) => {
			const code = `CANARY-code-${randomUUID()}`;
			codes.set(code, {
				clientId: form.get("client_id") ?? "",
				challenge: form.get("code_challenge_method") === "S256" ? (form.get("code_challenge") ?? "") : "",
				redirect: form.get("redirect_uri") ?? "",
				resource: form.get("resource") ?? "",
				scope: form.get("scope") ?? "",
			});
			const back = new URL(form.get("redirect_uri") ?? "");
			back.searchParams.set("code", code);
			back.searchParams.set("state", form.get("state") ?? "");
			const iss = behaviour.iss === undefined ? url : behaviour.iss;
			if (iss !== null) back.searchParams.set("iss", iss);
			response.writeHead(302, { location: behaviour.sendsTo?.(back.searchParams) ?? back.href }).end();
		},

		"POST /token": ({ request, response, form }) => {
			if (behaviour.token?.(form, response)) return;
			const client = clientOf(request, form);
			if (!client) return sendJson(response, 401, { error: "invalid_client" });
			const refused = (why) => sendJson(response, 400, { error: "invalid_grant", error_description: why });
			switch (form.get("grant_type")) {
				case "authorization_code": {
					const code = codes.get(form.get("code") ?? "");
					codes.delete(form.get("code") ?? "");
					if (!code || code.clientId !== client) return refused("another code");
					if (code.redirect !== form.get("redirect_uri")) return refused("another redirect_uri");
					if (code.resource !== form.get("resource")) return refused("another resource");
					const verifier = form.get("code_verifier") ?? "";
					const challenge = createHash("sha256").update(verifier).digest("base64url");
					if (!code.challenge || challenge !== code.challenge) return refused("another verifier");
					return sendJson(response, 200, tokensOf(randomUUID(), code.scope));
				}
				case "refresh_token": {
					const token = refreshTokens.get(form.get("refresh_token") ?? "");
					if (!token) return refused("unknown refresh token");
					if (token.used) endFamily(token.family);
					if (token.used) return refused("refresh token used twice");
					token.used = !behaviour.keepsRefresh;
					const { refresh_token, ...rest } = tokensOf(token.family, "");
					return sendJson(response, 200, behaviour.keepsRefresh ? rest : { ...rest, refresh_token });
				}
				case "client_credentials": {
					const { refresh_token, ...rest } = tokensOf(randomUUID(), form.get("scope") ?? "");
					return sendJson(response, 200, rest);
				}
				default:
					return sendJson(response, 400, { error: "unsupported_grant_type" });
			}
		},

		"POST /revoke": ({ response, form }) => {
			const token = form.get("token") ?? "";
			const family = refreshTokens.get(token)?.family ?? accessTokens.get(token);
			if (family) endFamily(family);
			response.writeHead(200).end();
		},
	};

	function tokensOf(family, scope) {
		const access = `CANARY-access-${randomUUID()}`;
		const refresh = `CANARY-refresh-${randomUUID()}`;
		accessTokens.set(access, family);
		refreshTokens.set(refresh, { family, used: false });
		const { expiresIn: expires_in = 3600 } = behaviour;
		return { access_token: access, token_type: "Bearer", expires_in, refresh_token: refresh, ...(scope && { scope }) };
	}

	function endFamily(family) {
		for (const [token, of] of accessTokens) if (of === family) accessTokens.delete(token);
		for (const token of refreshTokens.values()) if (token.family === family) token.used = true;
	}

	/** The id of the client that has proved itself as it was registered. */
	function clientOf(request, form) {
		const basic = /^Basic (.*)$/.exec(request.headers.authorization ?? "")?.[1];
		const [id, secret] = basic
			? Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent)
			: [form.get("client_id"), form.get("client_secret") ?? undefined];
		const method = basic ? "client_secret_basic" : secret ? "client_secret_post" : "none";
		const client = clients.get(id ?? "");
		return client && client.secret === secret && client.method === method ? id : undefined;
	}

	return {
		url,
		behaviour,
		received,
		clients,
		/** @param {string} path */
		at: (path) => received.filter((request) => request.path === path),
		/** @param {string} grant */
		grants: (grant) => received.filter(({ path, form }) => path === "/token" && form.get("grant_type") === grant),
		/** @param {string} token */
		isGood: (token) => accessTokens.has(token),
		/** As when they have expired sooner than was said. */
		endAccessTokens: () => accessTokens.clear(),
		endRefreshTokens: () => refreshTokens.clear(),
	};
}
