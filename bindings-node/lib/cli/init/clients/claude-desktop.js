import { isRemote } from "../server.js";

/**
 * Format and places: modelcontextprotocol.io/docs/develop/connect-local-servers; on Linux where its builds keep it. The file
 * names programs only: what has a URL is added in its window.
 *
 * @type {import("../client.js").Client}
 */
export const claudeDesktop = {
	name: "claude-desktop",
	title: "Claude Desktop",
	commands: [],
	traces: (place) => [place.inSettings("Claude")],
	files: { user: (place) => place.inSettings("Claude", "claude_desktop_config.json") },
	format: "json",
	container: "mcpServers",
	entry: (server) => (isRemote(server) ? undefined : { ...server }),
	unreachable: "Its file takes no URL. Leave out --http, or add the URL in Claude Desktop: Settings, Connectors.",
	next: "Quit Claude Desktop and start it again.",
};
