import { listen, readBody, sendJson } from "../oauth/serve.js";
import { shown, toolsShowing, written } from "./shown.js";

/**
 * A service on any port of 127.0.0.1 that shows the headers, the address and the body of each request. An MCP server at `/mcp`
 * (in JSON), `/events/mcp` (in event streams, with log messages) and `/guarded/mcp` (to who has a token of `issuer`). Any other path
 * is for an OpenAPI document: `/refusing` answers 403, `/failing` 500, `/redirecting` leads elsewhere.
 *
 * @param {import("node:test").TestContext} t
 * @param {{issuer?: string}} [how]
 */
export async function echoService(t, { issuer } = {}) {
	const origin = await listen(t, async (request, response) => {
		const body = await readBody(request);
		const { pathname } = new URL(request.url ?? "/", origin);
		const given = [
			...Object.entries(request.headers).map(([name, value]) => `${name}=${value}`),
			...userOf(request.headers.authorization),
			...(request.headers.cookie ?? "").split("; "),
			...valuesIn(request.url ?? ""),
			request.url ?? "",
			body,
		];
		const mcp = pathname.endsWith("/mcp");
		if (pathname.startsWith("/.well-known/oauth-protected-resource/guarded/mcp"))
			return sendJson(response, 200, { resource: `${origin}/guarded/mcp`, authorization_servers: [issuer] });
		if (pathname.startsWith("/refusing")) return sendJson(response, 403, { error: "no", given: written(given) });
		if (pathname.startsWith("/failing")) return sendJson(response, 500, { error: written(given) });
		if (pathname.startsWith("/redirecting")) {
			const query = new URLSearchParams({ given: given.join(" ") });
			return response.writeHead(302, { location: `${origin.replace("127.0.0.1", "localhost")}/?${query}` }).end();
		}
		if (!mcp) return sendJson(response, 200, shown(given, false));
		if (request.method !== "POST") return response.writeHead(405).end();
		if (pathname.startsWith("/guarded") && !request.headers.authorization) {
			const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/guarded/mcp"`;
			return sendJson(response, 401, { error: "no token" }, { "www-authenticate": challenge });
		}
		const message = JSON.parse(body);
		if (message.id === undefined) return response.writeHead(202).end();
		if (message.params?.name === "crash") return sendJson(response, 500, { given: written(given) });
		const reply = { jsonrpc: "2.0", id: message.id, ...answer(message.method, message.params, given) };
		return pathname.startsWith("/events") ? stream(response, message, reply, given) : sendJson(response, 200, reply);
	});
	return origin;
}

/**
 * Log messages and progress before the reply.
 *
 * @param {import("node:http").ServerResponse} response
 * @param {any} message
 * @param {unknown} reply
 * @param {string[]} given
 */
function stream(response, message, reply, given) {
	response.writeHead(200, { "content-type": "text/event-stream" });
	const progressToken = message.params?._meta?.progressToken;
	const before = [
		{ method: "notifications/message", params: { level: "error", logger: given[0], data: written(given) } },
		...(progressToken === undefined
			? []
			: [{ method: "notifications/progress", params: { progressToken, progress: 1, message: given.join(" ") } }]),
	];
	for (const notice of before) {
		response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...notice })}\n\n`);
	}
	response.end(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
}

/**
 * @param {string} method
 * @param {any} params
 * @param {string[]} given
 */
function answer(method, params, given) {
	switch (method) {
		case "initialize":
			return {
				result: {
					protocolVersion: params.protocolVersion,
					capabilities: { tools: {}, logging: {} },
					serverInfo: { name: "echo", version: given.join(" ") },
					instructions: given.join(" "),
				},
			};
		case "tools/list":
			return { result: { tools: toolsShowing(given) } };
		case "tools/call":
			if (params.name === "refuse") return { error: { code: -32000, message: given.join(" "), data: given } };
			return { result: shown(given, params.name === "error") };
		default:
			return { error: { code: -32601, message: given.join(" ") } };
	}
}

/**
 * User and password as HTTP Basic sends them.
 *
 * @param {string | undefined} authorization
 */
function userOf(authorization) {
	const basic = /^Basic (.*)$/.exec(authorization ?? "")?.[1];
	return basic ? Buffer.from(basic, "base64").toString().split(":") : [];
}

/** @param {string} url */
function valuesIn(url) {
	return [...new URL(url, "http://x").searchParams.values()];
}
