// Where clients keep their MCP servers, as runtime/src/config/import/places.rs has it; and those that only `init` knows.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { goose } from "../init/clients/goose.js";
import { hermes } from "../init/clients/hermes.js";
import { pi } from "../init/clients/pi.js";
import { Place } from "../init/place.js";
import { upwards } from "./places.js";

/** @typedef {{client: string, file: string}} ClientFile */

/** Each with the name of its file in a project, if it has one, and the user's. @type {() => [string, string?, string?][]} */
const clients = () => [
	["Claude Desktop", undefined, settings("Claude/claude_desktop_config.json")],
	["Claude Code", ".mcp.json", home(".claude.json")],
	["VS Code", ".vscode/mcp.json", settings("Code/User/mcp.json")],
	["Cursor", ".cursor/mcp.json", home(".cursor/mcp.json")],
	["Pi", ".pi/mcp.json", home(".pi/agent/mcp.json")],
	["Pi", ".pi/settings.json", written(pi)],
	["Codex", ".codex/config.toml", path.join(process.env.CODEX_HOME || home(".codex"), "config.toml")],
	["Droid", ".factory/mcp.json", home(".factory/mcp.json")],
	["Gemini", ".gemini/settings.json", home(".gemini/settings.json")],
	["Windsurf", undefined, home(".codeium/windsurf/mcp_config.json")],
	["Hermes", undefined, written(hermes)],
	["goose", undefined, written(goose)],
];

/** What `init` writes for the user. @param {import("../init/client.js").Client} client */
function written({ files }) {
	return files.user?.(Place.ofThisUser());
}

/** Those that are there. @returns {ClientFile[]} */
export function clientFiles() {
	return clients().flatMap(([client, project, user]) => {
		const files = [project && upwards(project), user].filter((file) => file !== undefined && file !== "");
		const there = [...new Set(files)].filter((file) => existsSync(String(file)));
		return there.map((file) => ({ client, file: String(file) }));
	});
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
