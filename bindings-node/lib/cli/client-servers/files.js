// Where clients keep their MCP servers: as `init` writes into their files, and files besides that it only leaves alone.

import { exists } from "../edit/file.js";
import { clients } from "../init/clients/all.js";
import { Place } from "../init/place.js";

/**
 * @typedef {Pick<import("../init/client.js").ClientBase & import("../init/client.js").McpClient,
 *   "name" | "title" | "files" | "format" | "container" | "comments">} Kept
 * @typedef {{client: Kept, file: string}} ClientFile
 */

/** @type {Kept[]} */
const OTHERS = [
	{
		name: "pi",
		title: "Pi",
		files: {
			project: (place) => place.inProject(".pi", "mcp.json"),
			user: (place) => place.inHome(".pi", "agent", "mcp.json"),
		},
		format: "json",
		container: "mcpServers",
		comments: true,
	},
	{
		name: "gemini",
		title: "Gemini",
		files: {
			project: (place) => place.inProject(".gemini", "settings.json"),
			user: (place) => place.inHome(".gemini", "settings.json"),
		},
		format: "json",
		container: "mcpServers",
		comments: true,
	},
	{
		name: "windsurf",
		title: "Windsurf",
		files: { user: (place) => place.inHome(".codeium", "windsurf", "mcp_config.json") },
		format: "json",
		container: "mcpServers",
	},
];

/** Those that are there. @returns {ClientFile[]} */
export function clientFiles() {
	const here = Place.ofThisUser();
	const all = [...clients.flatMap((client) => ("container" in client ? [client] : [])), ...OTHERS];
	return all.flatMap((client) => {
		const { project, user } = client.files;
		const nearest = project && foldersAbove(here).map(project).find(exists);
		const files = [...new Set([nearest, user?.(here)])].filter((file) => file !== undefined);
		return files.filter(exists).map((file) => ({ client, file }));
	});
}

/** The project's own folder, and those above it. @param {Place} place @returns {Place[]} */
function foldersAbove(place) {
	const cwd = place.path.dirname(place.cwd);
	return cwd === place.cwd ? [place] : [place, ...foldersAbove(new Place({ ...place, cwd }))];
}
