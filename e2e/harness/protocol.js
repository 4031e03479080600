// The two generations of MCP, as a client writes them.

export const LEGACY = "2025-11-25";
export const MODERN = "2026-07-28";
export const CLIENT = { name: "agent-tools-runtime-e2e", version: "0.0.0" };

/**
 * @param {string} [version]
 */
export function initialize(version = LEGACY) {
	return {
		jsonrpc: "2.0",
		id: "initialize",
		method: "initialize",
		params: { protocolVersion: version, capabilities: {}, clientInfo: CLIENT },
	};
}

export const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

/**
 * A request of the generation: the modern one has no handshake, and each request says who asks.
 *
 * @param {"legacy" | "modern"} generation
 * @param {string | number} id
 * @param {string} method
 * @param {Record<string, unknown>} [params]
 */
export function request(generation, id, method, params = {}) {
	const meta = {
		"io.modelcontextprotocol/protocolVersion": MODERN,
		"io.modelcontextprotocol/clientCapabilities": {},
		"io.modelcontextprotocol/clientInfo": CLIENT,
	};
	return { jsonrpc: "2.0", id, method, params: generation === "modern" ? { ...params, _meta: meta } : params };
}

/**
 * The HTTP headers that belong to a request of the generation.
 *
 * @param {"legacy" | "modern"} generation
 * @param {string} method
 * @param {{name?: string}} [params]
 * @returns {Record<string, string>}
 */
export function headers(generation, method, params = {}) {
	const always = { "content-type": "application/json", accept: "application/json, text/event-stream" };
	if (generation === "legacy") return { ...always, "mcp-protocol-version": LEGACY };
	return {
		...always,
		"mcp-protocol-version": MODERN,
		"mcp-method": method,
		...(params.name === undefined ? {} : { "mcp-name": params.name }),
	};
}
