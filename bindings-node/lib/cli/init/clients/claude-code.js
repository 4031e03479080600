import { isRemote, withToken } from "../server.js";

/**
 * Formats: code.claude.com/docs/en/mcp (`${NAME}` expands in `url` and `headers`). Where the user's file is with
 * CLAUDE_CONFIG_DIR, and that it lists `type`, was seen of Claude Code 2.1.332 itself.
 *
 * @type {import("../client.js").Client}
 */
export const claudeCode = {
	name: "claude-code",
	title: "Claude Code",
	commands: ["claude"],
	traces: (place) => [place.inHome(".claude.json"), place.inHome(".claude")],
	files: {
		user: (place) => place.path.join(place.folderOf("CLAUDE_CONFIG_DIR", place.home), ".claude.json"),
		project: (place) => place.inProject(".mcp.json"),
	},
	format: "json",
	container: "mcpServers",
	entry: (server) =>
		isRemote(server)
			? { type: "http", url: server.url, ...withToken(server.tokenEnv, (name) => `\${${name}}`) }
			: { type: "stdio", ...server },
	// Ours are three short tools that are a search themselves: behind Claude Code's own they would cost a turn more.
	advised: () => ({ alwaysLoad: true }),
	next: "Start Claude Code again; `claude mcp list` shows it.",
};
