/**
 * What stands behind the commands, under one name for all that take it.
 *
 * @typedef {object} Option
 * @property {"string" | "boolean"} type
 * @property {string} [short]
 * @property {boolean} [multiple]
 * @property {string} [value] how the value is called in the help
 * @property {string} summary
 */

/** @satisfies {Record<string, Option>} */
export const options = {
	config: {
		type: "string",
		value: "FILE",
		summary: "Read FILE instead of the agent-tools.json that is found (AGENT_TOOLS_CONFIG)",
	},
	"plugins-dir": {
		type: "string",
		multiple: true,
		value: "DIR",
		summary: "Also look for plugins in DIR; repeatable (AGENT_TOOLS_PLUGINS_DIR)",
	},
	host: { type: "string", value: "HOST", summary: "Listen on HOST (AGENT_TOOLS_HTTP_HOST) [127.0.0.1]" },
	port: {
		type: "string",
		value: "PORT",
		summary: "Listen on PORT, 0 for any (AGENT_TOOLS_HTTP_PORT) [8321]",
	},
	token: {
		type: "string",
		value: "TOKEN",
		summary: "Ask clients for this bearer token (AGENT_TOOLS_HTTP_TOKEN)",
	},
	"approved-by-client": {
		type: "boolean",
		summary: "Take `confirm: true` for the yes of a person whom the client has asked; needs a token",
	},
	"allowed-host": {
		type: "string",
		multiple: true,
		value: "HOST",
		summary: "Also answer requests to this Host; repeatable",
	},
	"allowed-origin": {
		type: "string",
		multiple: true,
		value: "ORIGIN",
		summary: "Also answer requests from this Origin; repeatable",
	},
	metrics: {
		type: "boolean",
		summary: "Answer GET /metrics with counts for Prometheus, under the same rules as /mcp",
	},
	page: { type: "boolean", summary: "Serve the page also where other machines can reach the server" },
	"no-page": { type: "boolean", summary: "Serve no page" },
	view: {
		type: "string",
		value: "VIEW",
		summary: "`unified`: three tools; `facade`: three a plugin; `flat`: all (AGENT_TOOLS_VIEW) [auto]",
	},
	pin: {
		type: "string",
		multiple: true,
		value: "GLOB",
		summary: "Show PREFIX/TOOL directly too; a glob, repeatable",
	},
	out: {
		type: "string",
		value: "PATH",
		summary:
			"Write here: `skills` and `plugin new` into this folder, such as .claude/skills, and `call` an image as this file",
	},
	one: { type: "boolean", summary: "One skill that names all plugins, in place of one for each" },
	prune: { type: "boolean", summary: "Remove what was written for plugins that are not here" },
	from: {
		type: "string",
		value: "KIND",
		summary:
			"Of an `openapi` document, an `mcp` server, a `cli` program, or as a `js` module; of `import`, the servers of this file",
	},
	prefix: { type: "string", value: "PREFIX", summary: "What the names of its tools begin with [NAME]" },
	url: { type: "string", value: "URL", summary: "The address of the MCP server, in place of its command" },
	env: {
		type: "string",
		multiple: true,
		value: "VARIABLE",
		summary:
			"The server or program gets this variable; of `add` also NAME=VALUE, of `plugin new --url` the token; repeatable",
	},
	openapi: { type: "string", value: "FILE_OR_URL", summary: "The OpenAPI or Swagger document of an HTTP service" },
	header: {
		type: "string",
		multiple: true,
		value: "HEADER",
		summary: `Send this with --url, such as 'X-Api-Key: \${ISSUES_KEY}'; repeatable`,
	},
	"bearer-env": { type: "string", value: "NAME", summary: "Send the token that the variable NAME holds; with --url" },
	oauth: { type: "boolean", summary: "Log in in the browser, by `agent-tools login`; with --url" },
	replace: { type: "boolean", summary: "Put it in the place of what has that name" },
	"no-check": { type: "boolean", summary: "Do not start it to see whether it works" },
	plugin: {
		type: "string",
		value: "PREFIX",
		summary: "This plugin alone",
	},
	tool: { type: "string", value: "NAME", summary: "Calls of this tool or skill" },
	outcome: {
		type: "string",
		value: "OUTCOME",
		summary: "Calls that ended so: `ok`, `error`, `failed`, `refused`, or an error code",
	},
	since: { type: "string", value: "TIME", summary: "Calls since then: `1h`, `30m`, `2d`, or a date" },
	client: { type: "string", value: "NAME", summary: "Calls of this client, or of the door it came by" },
	session: { type: "string", value: "ID", summary: "Calls of this session" },
	decision: {
		type: "string",
		value: "DECISION",
		summary: "Calls that were decided so, by this rule or person",
	},
	follow: { type: "boolean", summary: "Go on and show each call as it is recorded" },
	head: { type: "string", value: "HASH", summary: "`verify`: the log must go on from this head" },
	dir: { type: "string", value: "FOLDER", summary: "Read the log in FOLDER (AGENT_TOOLS_AUDIT_DIR)" },
	limit: {
		type: "string",
		value: "N",
		summary: "Show at most N: of `discover` 1 to 100 [5], of `audit` the last ones [20]",
	},
	arg: {
		type: "string",
		multiple: true,
		value: "NAME=VALUE",
		summary: "An argument; NAME.FIELD=VALUE within an object, NAME=@FILE from a file; repeatable",
	},
	args: { type: "string", value: "JSON", summary: "All arguments as a JSON object, @FILE, or - for stdin" },
	confirm: { type: "boolean", summary: "Agree to a change where nobody can be asked; on a terminal you are asked" },
	explain: { type: "boolean", summary: "Show why each hit has its place" },
	strict: { type: "boolean", summary: "Fail on warnings too" },
	all: { type: "boolean", summary: "Every plugin; of `init`, every client that is found" },
	yes: { type: "boolean", summary: "Do it without asking" },
	scope: { type: "string", value: "SCOPE", summary: "Write into the file of the `user` or of the `project` [user]" },
	local: { type: "boolean", summary: "Have clients start this very copy, in place of npx" },
	http: { type: "string", value: "URL", summary: "Have clients connect to `agent-tools http` at URL" },
	"token-env": { type: "string", value: "NAME", summary: "Send the token that the variable NAME holds; with --http" },
	"dry-run": { type: "boolean", summary: "Show what would be written, and write nothing" },
	undo: { type: "boolean", summary: "Take back what `init` wrote" },
	json: {
		type: "boolean",
		summary: "Print JSON",
	},
	help: { type: "boolean", short: "h", summary: "Show the help; after a command, its own" },
	version: { type: "boolean", short: "V", summary: "Show the version" },
};

/** @typedef {keyof typeof options} OptionName */

/** Those of every command. @type {OptionName[]} */
export const GENERAL = ["plugins-dir", "help", "version"];
