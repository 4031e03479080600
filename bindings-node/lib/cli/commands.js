/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {object} Command
 * @property {string} summary
 * @property {string[]} [args] names of the arguments it needs, in order; `...` ends one that takes all that follow, `[` begins
 *   one that may be left out
 * @property {string[]} [examples] whole command lines, for its own help
 * @property {string} [exitCodes] those that only this command has
 * @property {() => Promise<{run: (options: CommandOptions, ...args: string[]) => unknown}>} load
 */

/** @satisfies {Record<string, Command>} */
export const commands = {
	mcp: { summary: "Serve MCP on stdin and stdout", load: () => import("./mcp.js") },
	http: { summary: "Serve MCP over Streamable HTTP", load: () => import("./http.js") },
	list: { summary: "List the plugins, their state and what they offer", load: () => import("./list.js") },
	skills: {
		summary: "Write a SKILL.md for each plugin, for clients that find skills",
		load: () => import("./skills.js"),
	},
	discover: {
		summary: "Search tools and skills as a model does",
		args: ["WORDS..."],
		examples: [
			"agent-tools discover list open issues",
			"agent-tools discover --plugin github --limit 3 --explain open issues",
			'agent-tools discover "borrar un archivo" --json',
		],
		load: () => import("./discover.js"),
	},
	cost: {
		summary: "Count the tokens that each view and plugin takes of a model's context",
		examples: ["agent-tools cost", "agent-tools cost --plugins-dir ./plugins --plugin github --json"],
		load: () => import("./cost.js"),
	},
	audit: {
		summary: "Show the calls that were made, confirm a receipt, or check that the call log is whole",
		args: ["[WHAT]..."],
		examples: [
			"agent-tools audit --since 1h --outcome refused",
			"agent-tools audit --follow",
			"agent-tools audit receipt c9f2ab31-17",
			"agent-tools audit stats --plugin github",
			"agent-tools audit verify --head HASH",
		],
		exitCodes: "3 the log is not whole, or does not hold the receipt",
		load: () => import("./audit.js"),
	},
	validate: {
		summary: "Say what is wrong with a plugin's folder or a configuration file",
		args: ["PATH"],
		load: () => import("./validate.js"),
	},
	policy: {
		summary: "Explain what the policy says of a tool or skill, or forget what you said of it",
		args: ["explain|forget", "PREFIX", "NAME"],
		examples: ["agent-tools policy explain github delete_repo", "agent-tools policy forget github create_issue"],
		load: () => import("./policy.js"),
	},
	trust: {
		summary: "Show what is held back as its definition changed, and accept it",
		args: ["[prefix]"],
		examples: [
			"agent-tools trust",
			"agent-tools trust github",
			"agent-tools trust github --yes",
			"agent-tools trust --all --yes",
		],
		load: () => import("./trust.js"),
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
	secret: {
		summary: "Keep a secret for agent-tools.json: set NAME, list, remove NAME",
		args: ["ACTION..."],
		examples: [
			"agent-tools secret set github < token.txt",
			"agent-tools secret list",
			"agent-tools secret remove github",
		],
		load: () => import("./secret.js"),
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
		of: ["mcp", "http", "list", "discover", "cost", "skills", "policy", "trust", "audit"],
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
	"approved-by-client": {
		type: "boolean",
		of: ["http"],
		summary: "Take `confirm: true` for the yes of a person whom the client has asked; needs a token",
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
	metrics: {
		type: "boolean",
		of: ["http"],
		summary: "Answer GET /metrics with counts for Prometheus, under the same rules as /mcp",
	},
	page: { type: "boolean", of: ["http"], summary: "Serve the page also where other machines can reach the server" },
	"no-page": { type: "boolean", of: ["http"], summary: "Serve no page" },
	view: {
		type: "string",
		value: "VIEW",
		of: ["mcp", "http", "skills"],
		summary: "`unified`: three tools; `facade`: three a plugin; `flat`: all (AGENT_TOOLS_VIEW) [auto]",
	},
	pin: {
		type: "string",
		multiple: true,
		value: "GLOB",
		of: ["mcp", "http"],
		summary: "Show PREFIX/TOOL directly too; a glob, repeatable",
	},
	out: {
		type: "string",
		value: "FOLDER",
		of: ["skills"],
		summary: "Write into FOLDER, such as .claude/skills or .agents/skills; without it, say what would be written",
	},
	one: { type: "boolean", of: ["skills"], summary: "One skill that names all plugins, in place of one for each" },
	prune: { type: "boolean", of: ["skills"], summary: "Remove what was written for plugins that are not here" },
	plugin: {
		type: "string",
		value: "PREFIX",
		of: ["mcp", "skills", "discover", "cost", "audit"],
		summary: "This plugin alone",
	},
	tool: { type: "string", value: "NAME", of: ["audit"], summary: "Calls of this tool or skill" },
	outcome: {
		type: "string",
		value: "OUTCOME",
		of: ["audit"],
		summary: "Calls that ended so: `ok`, `error`, `failed`, `refused`, or an error code",
	},
	since: { type: "string", value: "TIME", of: ["audit"], summary: "Calls since then: `1h`, `30m`, `2d`, or a date" },
	client: { type: "string", value: "NAME", of: ["audit"], summary: "Calls of this client, or of the door it came by" },
	session: { type: "string", value: "ID", of: ["audit"], summary: "Calls of this session" },
	decision: {
		type: "string",
		value: "DECISION",
		of: ["audit"],
		summary: "Calls that were decided so, by this rule or person",
	},
	follow: { type: "boolean", of: ["audit"], summary: "Go on and show each call as it is recorded" },
	head: { type: "string", value: "HASH", of: ["audit"], summary: "`verify`: the log must go on from this head" },
	dir: { type: "string", value: "FOLDER", of: ["audit"], summary: "Read the log in FOLDER (AGENT_TOOLS_AUDIT_DIR)" },
	limit: {
		type: "string",
		value: "N",
		of: ["discover", "audit"],
		summary: "Show at most N: of `discover` 1 to 100 [5], of `audit` the last ones [20]",
	},
	explain: { type: "boolean", of: ["discover"], summary: "Show why each hit has its place" },
	all: { type: "boolean", of: ["trust"], summary: "Of every plugin" },
	yes: { type: "boolean", of: ["trust"], summary: "Accept without asking" },
	json: {
		type: "boolean",
		of: ["list", "skills", "discover", "cost", "policy", "trust", "login", "logout", "secret", "validate", "audit"],
		summary: "Print JSON",
	},
	help: { type: "boolean", short: "h", summary: "Show the help; after a command, its own" },
	version: { type: "boolean", short: "V", summary: "Show the version" },
};
