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
	next: "Start Codex again; `codex mcp list` shows it.",
};
