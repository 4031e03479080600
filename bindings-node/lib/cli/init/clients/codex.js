import { isRemote } from "../server.js";

/**
 * Format: developers.openai.com/codex/mcp; the project's file counts in trusted projects.
 *
 * @type {import("../client.js").Client}
 */
export const codex = {
	name: "codex",
	title: "Codex",
	commands: ["codex"],
	traces: (place) => [place.folderOf("CODEX_HOME", place.inHome(".codex"))],
	files: {
		user: (place) => place.path.join(place.folderOf("CODEX_HOME", place.inHome(".codex")), "config.toml"),
		project: (place) => place.inProject(".codex", "config.toml"),
	},
	format: "toml",
	container: "mcp_servers",
	entry: (server) =>
		isRemote(server)
			? { url: server.url, ...(server.tokenEnv && { bearer_token_env_var: server.tokenEnv }) }
			: { ...server },
	// Codex goes by the tool, and would ask before (in `codex exec`: refuse) each call of ours, of what only reads as well.
	// The runtime asks about changes by itself; over HTTP it cannot, so there Codex goes on asking.
	advised: (server) => (isRemote(server) ? {} : { default_tools_approval_mode: "approve" }),
	next: "Start Codex again; `codex mcp list` shows it.",
};
