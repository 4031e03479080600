import { isRemote, withToken } from "../server.js";

/**
 * Format: code.visualstudio.com/docs/copilot/reference/mcp-configuration. The user's file is that of the default profile.
 *
 * @type {import("../client.js").Client}
 */
export const vscode = {
	name: "vscode",
	title: "VS Code",
	commands: ["code"],
	traces: (place) => [place.inSettings("Code")],
	files: {
		user: (place) => place.inSettings("Code", "User", "mcp.json"),
		project: (place) => place.inProject(".vscode", "mcp.json"),
	},
	format: "json",
	container: "servers",
	comments: true,
	entry: (server) =>
		isRemote(server)
			? { type: "http", url: server.url, ...withToken(server.tokenEnv, (name) => `\${env:${name}}`) }
			: { type: "stdio", ...server },
	next: "In VS Code: `MCP: List Servers` shows it, and starts it.",
};
