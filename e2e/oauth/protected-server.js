import { listen, readBody, sendJson } from "./serve.js";

const TOOL = {
	name: "whoami",
	description: "Says that somebody with a good token asks",
	inputSchema: { type: "object", properties: {} },
	annotations: { readOnlyHint: true },
};

/**
 * An MCP server on 127.0.0.1 that answers good bearer tokens only, and says where to get one (RFC 9728).
 *
 * @param {import("node:test").TestContext} t
 * @param {object} how
 * @param {(token: string, message: any) => boolean} how.isGood
 * @param {string} [how.issuer] the authorization server
 * @param {string} [how.challenge] written into `WWW-Authenticate` instead
 * @param {Record<string, unknown>} [how.metadata] written over its description
 */
export async function protectedServer(t, how) {
	/** @type {{method: string, token: string | undefined, status: number}[]} */
	const received = [];

	const url = await listen(t, async (request, response) => {
		const text = await readBody(request);
		if (request.url?.startsWith("/.well-known/oauth-protected-resource") && how.issuer) {
			return sendJson(response, 200, {
				resource: `${url}/mcp`,
				authorization_servers: [how.issuer],
				...how.metadata,
			});
		}
		if (request.url !== "/mcp" || request.method !== "POST") return sendJson(response, 404, {});
		const message = JSON.parse(text);
		const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
		const good = token !== undefined && how.isGood(token, message);
		received.push({ method: message.method, token, status: good ? 200 : 401 });
		if (!good) {
			const challenge = how.challenge ?? `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`;
			return sendJson(response, 401, { error: "unauthorized" }, { "www-authenticate": challenge });
		}
		if (message.id === undefined) return response.writeHead(202).end();
		return sendJson(response, 200, { jsonrpc: "2.0", id: message.id, ...answer(message) });
	});

	return {
		url: `${url}/mcp`,
		received,
		/** @param {string} method */
		of: (method) => received.filter((request) => request.method === method),
	};
}

/** @param {any} message */
export function answer({ method, params }) {
	switch (method) {
		case "initialize":
			return {
				result: {
					protocolVersion: params.protocolVersion,
					capabilities: { tools: {} },
					serverInfo: { name: "protected", version: "0.0.0" },
				},
			};
		case "tools/list":
			return { result: { tools: [TOOL] } };
		case "tools/call":
			return { result: { content: [{ type: "text", text: "welcome" }] } };
		default:
			return { error: { code: -32601, message: `Unknown method ${method}` } };
	}
}
