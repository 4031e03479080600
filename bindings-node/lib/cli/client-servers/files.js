// Where clients keep their MCP servers, as runtime/src/config/import/places.rs has it.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { upwards } from "../places.js";

/** @typedef {{client: string, name: string, file: string}} ClientFile `name`: as in `import` */

/** Each with its name, that of its file in a project, if it has one, and the user's. @type {() => [string, string, string?, string?][]} */
const clients = () => [
	["Claude Desktop", "claude-desktop", undefined, settings("Claude/claude_desktop_config.json")],
	["Claude Code", "claude-code", ".mcp.json", home(".claude.json")],
	["VS Code", "vscode", ".vscode/mcp.json", settings("Code/User/mcp.json")],
	["Cursor", "cursor", ".cursor/mcp.json", home(".cursor/mcp.json")],
	["Pi", "pi", ".pi/mcp.json", home(".pi/agent/mcp.json")],
	["Codex", "codex", ".codex/config.toml", path.join(process.env.CODEX_HOME || home(".codex"), "config.toml")],
	["Droid", "droid", ".factory/mcp.json", home(".factory/mcp.json")],
	["Gemini", "gemini", ".gemini/settings.json", home(".gemini/settings.json")],
	["Windsurf", "windsurf", undefined, home(".codeium/windsurf/mcp_config.json")],
];

/** Those that are there. @returns {ClientFile[]} */
export function clientFiles() {
	return clients().flatMap(([client, name, project, user]) => {
		const files = [project && upwards(project), user].filter((file) => file !== undefined && file !== "");
		const there = [...new Set(files)].filter((file) => existsSync(String(file)));
		return there.map((file) => ({ client, name, file: String(file) }));
	});
}

/** What `import` of an agent-tools.json calls them. */
export function clientNames() {
	return clients().map(([, name]) => name);
}

/** @param {string} file */
function home(file) {
	return path.join(homedir(), file);
}

/** Where programs with windows keep their settings. @param {string} file */
function settings(file) {
	const { env, platform } = process;
	if (platform === "darwin") return home(`Library/Application Support/${file}`);
	if (platform === "win32") return path.join(env.APPDATA ?? home("AppData/Roaming"), file);
	return path.join(env.XDG_CONFIG_HOME || home(".config"), file);
}
