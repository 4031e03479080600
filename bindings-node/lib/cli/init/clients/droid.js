import { isRemote } from "../server.js";

/**
 * Format: docs.factory.ai/cli/configuration/mcp. How a header there names a variable was not to be found, so that none is
 * written.
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
	entry: (server) => {
		if (!isRemote(server)) return { type: "stdio", ...server };
		return server.tokenEnv ? undefined : { type: "http", url: server.url };
	},
	unreachable:
		"Leave out --token-env, and let Droid keep the header: droid mcp add agent-tools URL --type http --header …",
	next: "Droid takes it up at once; `/mcp` shows it.",
};
