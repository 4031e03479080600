import { isRemote, withToken } from "../server.js";

/**
 * Format: docs.factory.ai/cli/configuration/mcp; that `${NAME}` expands in `headers` was seen of Droid 0.215.0 itself.
 *
 * @type {import("../client.js").Client}
 */
export const droid = {
	name: "droid",
	title: "Droid",
	commands: ["droid"],
	traces: (place) => [place.inHome(".factory")],
	files: {
		user: (place) => place.inHome(".factory", "mcp.json"),
		project: (place) => place.inProject(".factory", "mcp.json"),
	},
	format: "json",
	container: "mcpServers",
	entry: (server) =>
		isRemote(server)
			? { type: "http", url: server.url, ...withToken(server.tokenEnv, (name) => `\${${name}}`) }
			: { type: "stdio", ...server },
	next: "Droid takes it up at once; `droid mcp list` shows it.",
};
