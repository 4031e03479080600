import { isRemote, withToken } from "../server.js";

/**
 * Format: mcp-config-reference.md of NousResearch/hermes-agent (`${NAME}` anywhere in an entry); the places on Windows and
 * of HERMES_HOME: its hermes_constants.py.
 *
 * @type {import("../client.js").Client}
 */
export const hermes = {
	name: "hermes",
	title: "Hermes",
	commands: ["hermes"],
	traces: (place) => [home(place)],
	files: { user: (place) => place.path.join(home(place), "config.yaml") },
	format: "yaml",
	container: "mcp_servers",
	entry: (server) =>
		isRemote(server) ? { url: server.url, ...withToken(server.tokenEnv, (name) => `\${${name}}`) } : { ...server },
	next: "In Hermes: /reload-mcp",
};

/** @param {import("../place.js").Place} place */
function home(place) {
	const local = place.folderOf("LOCALAPPDATA", place.inHome("AppData", "Local"));
	return place.folderOf("HERMES_HOME", place.windows ? place.path.join(local, "hermes") : place.inHome(".hermes"));
}
