import { parse as parseYaml } from "yaml";
import { clientFile, withoutProgram } from "../../harness/client-programs.js";
import { HERMES } from "../../harness/hermes-program.js";
import { installed } from "../../harness/paths.js";
import * as seen from "./seen.js";

/**
 * @typedef {import("./reader.js").Reader} Reader
 *
 * @typedef {object} QuickStart what a section of the page leads to
 * @property {string} [file] what was written, below the home
 * @property {(text: string) => {command?: string, cmd?: string, args: string[]}} [entry] the program that a client starts by it which cannot be run here
 * @property {string} says the line of `doctor` about it
 * @property {{name: string, program: string}} [client] the real one, as it is called in a shell
 * @property {string | false} [skip]
 * @property {number} [port] that the page has a server listen on
 * @property {(reader: Reader) => Promise<void>} [prepare] what the reader has already
 * @property {(reader: Reader) => Promise<void>} [sees] the client is started, and its model has our tools
 */

const json = (/** @type {string} */ container) => (/** @type {string} */ text) =>
	JSON.parse(text)[container]["agent-tools"];

/** By the title of the section. @type {Record<string, QuickStart>} */
export const quickStarts = {
	Pi: {
		file: ".pi/agent/settings.json",
		says: "Pi: .*settings.json: npm:agent-tools-runtime-pi-extension",
		client: { name: "pi", program: installed("pi") },
		sees: seen.byPi,
	},
	eve: {
		file: "work/agent/connections/memory.ts",
		says: "eve \\d+\\.\\d+\\.\\d+ \\(supported: ",
		port: 8321,
		prepare: seen.withEveAgent,
		sees: seen.byEve,
	},
	"Claude Code": {
		file: ".claude.json",
		says: "Claude Code: .*: agent-tools: /",
		client: { name: "claude", program: clientFile("@anthropic-ai/claude-code/cli-wrapper.cjs") },
		skip: withoutProgram("@anthropic-ai/claude-code"),
		sees: seen.byClaudeCode,
	},
	Codex: {
		file: ".codex/config.toml",
		says: "Codex: .*: agent-tools: /",
		client: { name: "codex", program: clientFile("@openai/codex/bin/codex.js") },
		skip: withoutProgram("@openai/codex"),
		sees: seen.byCodex,
	},
	"VS Code": {
		file: ".config/Code/User/mcp.json",
		entry: json("servers"),
		says: "VS Code: .*: agent-tools: /",
	},
	Cursor: { file: ".cursor/mcp.json", entry: json("mcpServers"), says: "Cursor: .*: agent-tools: /" },
	"Claude Desktop": {
		file: ".config/Claude/claude_desktop_config.json",
		entry: json("mcpServers"),
		says: "Claude Desktop: .*: agent-tools: /",
	},
	Droid: { file: ".factory/mcp.json", entry: json("mcpServers"), says: "Droid: .*: agent-tools: /" },
	Hermes: {
		file: ".hermes/config.yaml",
		says: "Hermes: .*: agent-tools: /",
		client: { name: "hermes", program: HERMES.program("hermes") },
		skip: HERMES.missing,
		sees: seen.byHermes,
	},
	goose: {
		file: ".config/goose/config.yaml",
		entry: (text) => parseYaml(text).extensions["agent-tools"],
		says: "goose: .*: agent-tools: /",
	},
	// What the reader copies into the file of their client is on the page itself.
	"Any other MCP client": { entry: json("mcpServers"), says: "no other client's configuration was found" },
};
