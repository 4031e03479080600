/**
 * A client, as a table says it.
 *
 * @typedef {import("./place.js").Place} Place
 * @typedef {import("./server.js").Server} Server
 * @typedef {"user" | "project"} Scope
 *
 * @typedef {object} ClientBase
 * @property {string} name
 * @property {string} title
 * @property {string[]} commands whose presence shows that it is installed
 * @property {(place: Place) => string[]} traces files or folders that show the same
 * @property {Partial<Record<Scope, (place: Place) => string>>} files the first scope is the one that counts when none is asked for
 * @property {string} [next] what the user does then
 *
 * @typedef {object} McpClient one that has a table of MCP servers in its file
 * @property {import("../edit/formats/formats.js").FormatName} format
 * @property {string} container
 * @property {boolean} [comments] whether it reads JSON with comments and trailing commas
 * @property {(server: Server) => Record<string, unknown> | undefined} entry undefined where it cannot be reached so
 * @property {(server: Server) => Record<string, unknown>} [advised] what a new entry holds besides; one that is there is left as it is
 * @property {string} [unreachable] why `entry` gives nothing, and what to do instead
 *
 * @typedef {object} OtherClient
 * @property {(context: Context) => Promise<import("./plan.js").Step[]> | import("./plan.js").Step[]} steps
 *
 * @typedef {object} Context
 * @property {Place} place
 * @property {Scope} scope
 * @property {Server} server
 * @property {boolean} local
 * @property {{prefix: string, name: string, description: string | null}[]} plugins
 *
 * @typedef {ClientBase & (McpClient | OtherClient)} Client
 */

import { exists } from "../edit/file.js";

/** Whose file it is. @type {Scope[]} */
export const SCOPES = ["user", "project"];

/**
 * @param {Client} client
 * @param {Place} place
 */
export function isInstalled({ commands, traces }, place) {
	return traces(place).some(exists) || commands.some((command) => place.command(command) !== undefined);
}
