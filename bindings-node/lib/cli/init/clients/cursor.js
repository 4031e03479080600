import { isRemote, withToken } from "../server.js";

/**
 * Format: cursor.com/docs/mcp (`${env:NAME}` in `url` and `headers`).
 *
 * @type {import("../client.js").Client}
 */
export const cursor = {
	name: "cursor",
	title: "Cursor",
	commands: ["cursor", "cursor-agent"],
	traces: (place) => [place.inHome(".cursor")],
	files: {
		user: (place) => place.inHome(".cursor", "mcp.json"),
		project: (place) => place.inProject(".cursor", "mcp.json"),
	},
	format: "json",
	container: "mcpServers",
	comments: true,
	entry: (server) =>
		isRemote(server) ? { url: server.url, ...withToken(server.tokenEnv, (name) => `\${env:${name}}`) } : { ...server },
	next: "Start Cursor again, and switch the server on among its MCP servers.",
};
