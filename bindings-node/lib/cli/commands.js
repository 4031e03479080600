/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {object} Command
 * @property {string} summary
 * @property {string[]} [args] names of the arguments it needs, in order
 * @property {() => Promise<{run: (options: CommandOptions, ...args: string[]) => unknown}>} load
 */

/** @satisfies {Record<string, Command>} */
export const commands = {
	mcp: { summary: "Serve MCP on stdin and stdout", load: () => import("./mcp.js") },
	http: { summary: "Serve MCP over Streamable HTTP", load: () => import("./http.js") },
	list: { summary: "List the plugins, their state and what they offer", load: () => import("./list.js") },
	validate: {
		summary: "Say what is wrong with a plugin's folder or a configuration file",
		args: ["PATH"],
		load: () => import("./validate.js"),
	},
	login: {
		summary: "Log in to the service of a plugin, in the browser",
		args: ["prefix"],
		load: () => import("./login.js"),
	},
	logout: {
		summary: "Forget the login to the service of a plugin",
		args: ["prefix"],
		load: () => import("./logout.js"),
	},
	help: { summary: "Show this text", load: () => import("./help.js") },
	version: { summary: "Show the version", load: () => import("./version.js") },
};

/** @typedef {keyof typeof commands} CommandName */

/**
 * @typedef {object} Option
 * @property {"string" | "boolean"} type
 * @property {string} [short]
 * @property {boolean} [multiple]
 * @property {string} [value] how the value is called in the help
 * @property {string} summary
 * @property {CommandName[]} [of] the commands that take it; absent: all
 */

/** @satisfies {Record<string, Option>} */
export const options = {
	config: {
		type: "string",
		value: "FILE",
		of: ["mcp", "http", "list"],
		summary: "Read FILE instead of the agent-tools.json that is found (AGENT_TOOLS_CONFIG)",
	},
	"plugins-dir": {
		type: "string",
		multiple: true,
		value: "DIR",
		summary: "Also look for plugins in DIR; repeatable (AGENT_TOOLS_PLUGINS_DIR)",
	},
	host: { type: "string", value: "HOST", of: ["http"], summary: "Listen on HOST (AGENT_TOOLS_HTTP_HOST) [127.0.0.1]" },
	port: {
		type: "string",
		value: "PORT",
		of: ["http"],
		summary: "Listen on PORT, 0 for any (AGENT_TOOLS_HTTP_PORT) [8321]",
	},
	token: {
		type: "string",
		value: "TOKEN",
		of: ["http"],
		summary: "Ask clients for this bearer token (AGENT_TOOLS_HTTP_TOKEN)",
	},
	"allowed-host": {
		type: "string",
		multiple: true,
		value: "HOST",
		of: ["http"],
		summary: "Also answer requests to this Host; repeatable",
	},
	"allowed-origin": {
		type: "string",
		multiple: true,
		value: "ORIGIN",
		of: ["http"],
		summary: "Also answer requests from this Origin; repeatable",
	},
	view: {
		type: "string",
		value: "VIEW",
		of: ["mcp"],
		summary: "`facade`: three tools a plugin; `flat`: every tool [facade]",
	},
	plugin: { type: "string", value: "PREFIX", of: ["mcp"], summary: "Serve this plugin alone" },
	json: { type: "boolean", of: ["list", "login", "logout", "validate"], summary: "Print JSON" },
	help: { type: "boolean", short: "h", summary: "Show the help" },
	version: { type: "boolean", short: "V", summary: "Show the version" },
};
