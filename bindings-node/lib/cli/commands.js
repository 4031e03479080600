/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./options.js").OptionName} OptionName
 *
 * @typedef {object} Command
 * @property {string} group the heading it stands under in the help
 * @property {string} summary
 * @property {string[]} [args] names of the arguments it needs, in order; `...` ends one that takes all that follow, `[` begins
 *   one that may be left out
 * @property {OptionName[]} [options] beside those of every command
 * @property {{title: string, rows: [string, string][]}} [more] a section of its own in its help
 * @property {string[]} examples whole command lines, for its own help
 * @property {[string, string][]} [exitCodes] what they mean of this command alone
 * @property {() => Promise<Run>} load
 *
 * @typedef {(options: CommandOptions, ...args: string[]) => unknown} Run
 */

const SERVE = "Serve";
const LOOK = "Look";
const USE = "Use";
const DECIDE = "Decide";
const SET_UP = "Set up";
const WRITE = "Write plugins";
const HELP = "Help";

/** By name; of two words for what one command does in several ways. @satisfies {Record<string, Command>} */
export const commands = {
	mcp: {
		group: SERVE,
		summary: "Serve MCP on stdin and stdout",
		options: ["config", "view", "pin", "plugin"],
		examples: ["agent-tools mcp", "agent-tools mcp --view flat --plugin github"],
		load: async () => (await import("./mcp.js")).run,
	},
	http: {
		group: SERVE,
		summary: "Serve MCP over Streamable HTTP",
		options: [
			"config",
			"host",
			"port",
			"token",
			"approved-by-client",
			"allowed-host",
			"allowed-origin",
			"metrics",
			"page",
			"no-page",
			"view",
			"pin",
			"json",
		],
		examples: ["agent-tools http", "agent-tools http --port 0 --json"],
		load: async () => (await import("./http.js")).run,
	},
	list: {
		group: LOOK,
		summary: "List the plugins, their state and what they offer",
		options: ["config", "json"],
		examples: ["agent-tools list", "agent-tools list --json"],
		load: async () => (await import("./list.js")).run,
	},
	discover: {
		group: LOOK,
		summary: "Search tools and skills as a model does",
		args: ["WORDS..."],
		options: ["config", "plugin", "limit", "explain", "json"],
		examples: [
			"agent-tools discover list open issues",
			"agent-tools discover --plugin github --limit 3 --explain open issues",
			'agent-tools discover "borrar un archivo" --json',
		],
		load: async () => (await import("./discover.js")).run,
	},
	describe: {
		group: LOOK,
		summary: "Show what a plugin offers, or all about one tool or skill",
		args: ["PREFIX", "[NAME]"],
		options: ["config", "json"],
		examples: ["agent-tools describe github", "agent-tools describe github create_issue"],
		load: async () => (await import("./describe.js")).run,
	},
	call: {
		group: USE,
		summary: "Call a tool",
		args: ["PREFIX", "TOOL"],
		options: ["config", "arg", "args", "confirm", "out", "json"],
		examples: [
			"agent-tools call github list_issues --arg owner=me --arg labels=bug",
			"agent-tools call github create_issue --args @issue.json --confirm",
		],
		exitCodes: [["3", "refused: it needs consent, or is denied"]],
		load: async () => (await import("./call.js")).callTool,
	},
	skill: {
		group: USE,
		summary: "Run a skill",
		args: ["PREFIX", "SKILL"],
		options: ["config", "arg", "args", "confirm", "json"],
		examples: ["agent-tools skill demo issue-summary", "agent-tools skill demo issues-in-full --arg state=all"],
		exitCodes: [["3", "refused: it needs consent, or is denied"]],
		load: async () => (await import("./call.js")).runSkill,
	},
	cost: {
		group: LOOK,
		summary: "Count the tokens that each view and plugin takes of a model's context",
		options: ["config", "plugin", "json"],
		examples: ["agent-tools cost", "agent-tools cost --plugins-dir ./plugins --plugin github --json"],
		load: async () => (await import("./cost.js")).run,
	},
	audit: {
		group: LOOK,
		summary: "Show the calls that were made",
		options: [
			"config",
			"plugin",
			"tool",
			"outcome",
			"since",
			"client",
			"session",
			"decision",
			"follow",
			"dir",
			"limit",
			"json",
		],
		examples: ["agent-tools audit --since 1h --outcome refused", "agent-tools audit --follow"],
		load: async () => (await import("./audit.js")).run,
	},
	"audit stats": {
		group: LOOK,
		summary: "Count the calls that were made",
		options: ["config", "plugin", "tool", "outcome", "since", "client", "session", "decision", "dir", "json"],
		examples: ["agent-tools audit stats", "agent-tools audit stats --plugin github"],
		load: async () => (await import("./audit.js")).statistics,
	},
	"audit receipt": {
		group: LOOK,
		summary: "Confirm the receipt of a call",
		args: ["ID"],
		options: ["config", "dir", "json"],
		examples: ["agent-tools audit receipt c9f2ab31-17"],
		exitCodes: [["3", "the log does not hold the receipt, or is not whole"]],
		load: async () => (await import("./audit.js")).receipt,
	},
	"audit verify": {
		group: LOOK,
		summary: "Check that the call log is whole",
		options: ["config", "head", "dir", "json"],
		examples: ["agent-tools audit verify", "agent-tools audit verify --head HASH"],
		exitCodes: [["3", "the log is not whole"]],
		load: async () => (await import("./audit.js")).verify,
	},
	"policy explain": {
		group: DECIDE,
		summary: "Say what the policy makes of a tool or skill, and why",
		args: ["PREFIX", "NAME"],
		options: ["config", "json"],
		examples: ["agent-tools policy explain github delete_repo"],
		load: async () => (await import("./policy.js")).explain,
	},
	"policy forget": {
		group: DECIDE,
		summary: "Be asked again about a tool or skill that you allowed for good",
		args: ["PREFIX", "NAME"],
		options: ["config", "json"],
		examples: ["agent-tools policy forget github create_issue"],
		load: async () => (await import("./policy.js")).forget,
	},
	trust: {
		group: DECIDE,
		summary: "Show what is held back as its definition changed, and accept it",
		args: ["[PREFIX]"],
		options: ["config", "all", "yes", "json"],
		examples: [
			"agent-tools trust",
			"agent-tools trust github",
			"agent-tools trust github --yes",
			"agent-tools trust --all --yes",
		],
		load: async () => (await import("./trust.js")).run,
	},
	init: {
		group: SET_UP,
		summary: "Connect a client: write agent-tools into its configuration",
		args: ["[CLIENT]..."],
		options: ["scope", "local", "http", "token-env", "all", "plugin", "dry-run", "yes", "undo", "config", "json"],
		examples: [
			"agent-tools init",
			"agent-tools init claude-code --scope project",
			"agent-tools init codex --dry-run",
			"agent-tools init --undo codex",
		],
		exitCodes: [["3", "nobody could be asked, and nothing was written"]],
		load: async () => (await import("./init.js")).run,
	},
	add: {
		group: SET_UP,
		summary: "Add a server or service to agent-tools.json, and see whether it works",
		args: ["NAME", "[COMMAND]..."],
		options: [
			"url",
			"openapi",
			"env",
			"header",
			"bearer-env",
			"oauth",
			"scope",
			"config",
			"replace",
			"no-check",
			"json",
		],
		examples: [
			"agent-tools add memory -- npx -y @modelcontextprotocol/server-memory",
			"agent-tools add manual --scope project -- manual-mcp ./docs",
			"agent-tools add github --env GITHUB_TOKEN -- github-mcp --read-only",
			"agent-tools add issues --url https://issues.example/mcp --bearer-env TOKEN",
			"agent-tools add linear --url https://mcp.linear.app/mcp --oauth",
			"agent-tools add pets --openapi https://pets.example/openapi.json",
		],
		exitCodes: [["1", "written, but it does not work yet"]],
		load: async () => (await import("./add.js")).run,
	},
	remove: {
		group: SET_UP,
		summary: "Take a server or service out of agent-tools.json",
		args: ["NAME"],
		options: ["scope", "config", "json"],
		examples: ["agent-tools remove memory", "agent-tools remove memory --scope project"],
		load: async () => (await import("./remove.js")).run,
	},
	import: {
		group: SET_UP,
		summary: "Use the MCP servers that are configured for other clients",
		args: ["[CLIENT]..."],
		options: ["from", "all", "scope", "config", "dry-run", "yes", "json"],
		examples: [
			"agent-tools import",
			"agent-tools import claude-code codex --yes",
			"agent-tools import --from ./their/mcp.json",
		],
		exitCodes: [["3", "nobody could be asked, and nothing was written"]],
		load: async () => (await import("./import.js")).run,
	},
	login: {
		group: SET_UP,
		summary: "Log in to the service of a plugin, in the browser",
		args: ["PREFIX"],
		options: ["config", "json"],
		examples: ["agent-tools login linear"],
		load: async () => (await import("./login.js")).run,
	},
	logout: {
		group: SET_UP,
		summary: "Forget the login to the service of a plugin",
		args: ["PREFIX"],
		options: ["config", "json"],
		examples: ["agent-tools logout linear"],
		load: async () => (await import("./logout.js")).run,
	},
	"secret set": {
		group: SET_UP,
		summary: "Keep a secret for agent-tools.json, from stdin",
		args: ["NAME"],
		options: ["json"],
		examples: ["agent-tools secret set github", "agent-tools secret set github < token.txt"],
		load: async () => (await import("./secret.js")).set,
	},
	"secret list": {
		group: SET_UP,
		summary: "List the names of the secrets that are kept",
		options: ["json"],
		examples: ["agent-tools secret list"],
		load: async () => (await import("./secret.js")).list,
	},
	"secret remove": {
		group: SET_UP,
		summary: "Remove a secret",
		args: ["NAME"],
		options: ["json"],
		examples: ["agent-tools secret remove github"],
		load: async () => (await import("./secret.js")).remove,
	},
	skills: {
		group: SET_UP,
		summary: "Write a SKILL.md for each plugin, for clients that find skills",
		options: ["config", "view", "out", "one", "prune", "plugin", "json"],
		examples: ["agent-tools skills", "agent-tools skills --out .claude/skills"],
		load: async () => (await import("./skills.js")).run,
	},
	"plugin new": {
		group: WRITE,
		summary: "Write a plugin that works, with its test, to go on from",
		args: ["NAME", "[SOURCE]..."],
		options: ["from", "url", "env", "prefix", "out", "json"],
		examples: [
			"agent-tools plugin new weather --from openapi https://weather.example/api.json",
			"agent-tools plugin new fetch --from mcp -- uvx mcp-server-fetch",
			"agent-tools plugin new crm --from mcp --url https://crm.test --env CRM_TOKEN",
			"agent-tools plugin new git --from cli git",
			"agent-tools plugin new words --from js --out plugins",
		],
		load: async () => (await import("./plugin/new.js")).run,
	},
	doctor: {
		group: SET_UP,
		summary: "Say what is wrong on this machine, and the command that mends it",
		options: ["config", "plugin", "port", "strict", "json"],
		examples: ["agent-tools doctor", "agent-tools doctor --plugin github", "agent-tools doctor --strict --json"],
		load: async () => (await import("./doctor.js")).run,
	},
	completion: {
		group: SET_UP,
		summary: "Print the script by which a shell completes these commands",
		args: ["[SHELL]"],
		more: {
			title: "At the end of ~/.bashrc, ~/.zshrc, config.fish or $PROFILE:",
			rows: [
				["bash", 'eval "$(agent-tools completion bash)"'],
				["zsh", 'eval "$(agent-tools completion zsh)"'],
				["fish", "agent-tools completion fish | source"],
				["powershell", "agent-tools completion powershell | Out-String | Invoke-Expression"],
			],
		},
		examples: ["agent-tools completion", "agent-tools completion zsh"],
		load: async () => (await import("./completion.js")).run,
	},
	validate: {
		group: WRITE,
		summary: "Say what is wrong with a plugin's folder or a configuration file",
		args: ["PATH"],
		options: ["json"],
		examples: ["agent-tools validate agent-tools.json", "agent-tools validate ./agent-tools-plugin-mine"],
		load: async () => (await import("./validate.js")).run,
	},
	help: {
		group: HELP,
		summary: "Show this text, or that of a command",
		args: ["[COMMAND]..."],
		examples: ["agent-tools help", "agent-tools help policy explain"],
		load: async () => (await import("./help.js")).run,
	},
	version: {
		group: HELP,
		summary: "Show the version",
		options: ["json"],
		examples: ["agent-tools version"],
		load: async () => (await import("./version.js")).run,
	},
};

/** @typedef {keyof typeof commands} CommandName */

/** The table, where what every command may have matters. @type {Record<string, Command>} */
export const allCommands = commands;
