/**
 * agent-tools-runtime: gives an agent thousands of tools for the context cost of three.
 *
 * ```js
 * const runtime = await Runtime.open();
 * const found = await runtime.discover("github", "open issues");
 * const reply = await runtime.call("github", "list_issues", { owner: "o", repo: "r" });
 * await runtime.close();
 * ```
 */

/**
 * `facade`: three tools a plugin. `unified`: the same three once, over all plugins. `flat`: one typed tool per tool and per
 * skill. `auto`: `flat` where that costs little, else `unified`. See docs/views.md.
 */
export type ViewKind = "facade" | "unified" | "flat" | "auto";

/** Which tool list a client is shown. */
export interface View {
	kind: ViewKind;
	/** Only this plugin. */
	plugin?: string;
}

/** A tool in the shape that MCP lists it. */
export interface Tool {
	name: string;
	title?: string;
	description?: string;
	inputSchema: Record<string, unknown>;
	outputSchema?: Record<string, unknown>;
	annotations?: ToolAnnotations;
	[key: string]: unknown;
}

export interface ToolAnnotations {
	title?: string;
	readOnlyHint?: boolean;
	destructiveHint?: boolean;
	idempotentHint?: boolean;
	openWorldHint?: boolean;
}

/** Which `SKILL.md` files are made; see docs/agent-skills.md. */
export interface AgentSkillOptions {
	/** The view that the client has: the calls are written for it. */
	view?: View;
	/** One skill that names all plugins, in place of one for each. */
	one?: boolean;
	/** A person may call them; the model is not shown them. */
	commandsOnly?: boolean;
}

/** A plugin as a skill of the Agent Skills specification. */
export interface AgentSkill {
	/** At most 64 lower-case letters, digits and hyphens. */
	name: string;
	/** At most 240 characters. */
	description: string;
	/** The plugin's prefix; absent for the skill that names all. */
	plugin?: string;
	/** Whether what the plugin offers was known; if not, the text holds what its manifest says. */
	listed: boolean;
	/** The text of `SKILL.md`. */
	text: string;
}

/** What became of the files. */
export interface WrittenSkills {
	folder: string;
	files: {
		name: string;
		path: string;
		/**
		 * `foreign`: someone else's file is in its place, and was left alone. `stale` and `removed`: ours, of a plugin that is
		 * not here.
		 */
		state: "written" | "unchanged" | "foreign" | "stale" | "removed";
	}[];
}

/** The answer to a call. A failure that the model can act on is a reply with `isError`, not a rejection. */
export interface ToolReply {
	content: ContentBlock[];
	isError: boolean;
	structuredContent?: unknown;
	/** For programs, not for the model; in the flat view it holds the receipt. */
	_meta?: { "agent-tools/discover"?: Discovered; [key: string]: unknown };
}

/** What `discover` answered, for programs; the model reads the text. */
export interface Discovered {
	/** `null` for an overview. */
	query: string | null;
	/** Best first. An overview has the first twenty here, skills before tools. */
	matches: Match[];
	/** How many tools and skills there are. */
	tools: number;
	skills: number;
	/** Why this may not be what a call would meet: `idle`, `starting`, `failed: …` or `needs set-up: …`. */
	state?: string;
	/** A part of the list is missing; `problem` says why. */
	incomplete?: boolean;
	problem?: Record<string, unknown>;
	/** What the plugin's `discoverContext` gave. */
	context?: unknown;
	/** Plugins that could not be searched. */
	notSearched?: { plugin: string; reason: string }[];
}

/** A tool or skill that `discover` found. */
export interface Match {
	plugin: string;
	kind: "tool" | "skill";
	name: string;
	description: string;
	readOnly: boolean;
	/** What it takes, as TypeScript would have it. */
	arguments?: string;
	/** The literal call. */
	call: string;
	/** Skills that do the same elsewhere. */
	related?: { target: string; why?: string; call: string }[];
	/** Why the skill cannot be run. */
	error?: string;
	/** What the user has to do before it can be called. */
	needsSetUp?: string;
}

export type ContentBlock =
	| { type: "text"; text: string; [key: string]: unknown }
	| { type: "image" | "audio"; data: string; mimeType: string; [key: string]: unknown }
	| { type: "resource" | "resource_link"; [key: string]: unknown };

export interface CallOptions {
	/** Aborting it rejects the call with code `CANCELLED`. */
	signal?: AbortSignal;
	/** The view that `name` is a tool of; default: the facade. */
	view?: View;
	/** Names the session that calls, where one runtime serves several: repeated failures are counted for each by itself. */
	session?: string;
	/** Receives what the tool reports while it works. */
	onProgress?: (progress: Progress) => void;
	/** Asks the user, where the policy wants that. Without it nobody can be asked. What throws, or answers otherwise, says no. */
	ask?: Ask;
}

export type PolicyDecision = "allow" | "ask" | "deny";

/** As the key `policy` of `agent-tools.json`. A rule by tool goes before one by group, and that before the default. */
export interface Policy {
	/** By globs of `<prefix>/<name>`. */
	tools?: Record<string, PolicyDecision>;
	/** By `plugin:<glob>`, `tag:<tag>`, `readOnly`, `mutating` and `destructive`. */
	groups?: Record<string, PolicyDecision>;
	/** For what no other rule names; default: `ask`. */
	default?: PolicyDecision;
	/** What becomes of a call that is to be asked about, where nobody can be asked; default: `confirm`. */
	headless?: "confirm" | "refuse";
	/** How long an answer is waited for; default: five minutes. */
	askTimeoutMs?: number;
	/** Globs of the prefixes of plugins whose word counts on what is read-only and needs no consent. */
	trust?: string[];
	/** Globs of what never changes anything. */
	readonlyTools?: string[];
	/** Globs of what may destroy something. */
	destructiveTools?: string[];
}

/** What the policy says of a tool or skill. */
export interface PolicyExplanation {
	plugin: string;
	name: string;
	subject: "tool" | "skill";
	/** What it may do, and who says so. */
	kind: "read-only" | "mutating" | "destructive";
	kindBy: string;
	/** Whether the plugin's word counts. */
	trusted: boolean;
	/** Whether it is a project's, under the name of a plugin of the user's own: what the user allows by name is not meant for it. */
	borrowsName: boolean;
	decision: PolicyDecision;
	/** What decided. */
	rule: string;
	/** Whether a call needs `confirm: true`. */
	confirm: boolean;
	/** Every rule that matches. */
	rules: {
		level: "tool" | "group" | "default";
		rule: string;
		decision: PolicyDecision;
		file: string;
		author: "user" | "project";
		/** Whether it is the one that decides. */
		counts: boolean;
		/** Whether it names the plugin, and is not about every plugin. */
		byName: boolean;
	}[];
	/** What the user allowed for good; `valid`: it is still defined as it was then. */
	remembered: { at: string; valid: boolean } | null;
}

/** Asks the user about a call that is about to be sent. */
export type Ask = (question: Question) => Answer | Promise<Answer>;

/** `once`: this call. `session`: further calls of it in this session. `always`: every further one. `unanswered`: a no for want of an answer. `unavailable`: nobody can be asked. */
export type Answer = "once" | "session" | "always" | "no" | "unanswered" | "unavailable";

/** What the user is asked. */
export interface Question {
	/** The plugin's prefix. */
	plugin: string;
	/** The tool's or skill's name. */
	name: string;
	subject: "tool" | "skill";
	/** What it may do. */
	kind: "read-only" | "mutating" | "destructive";
	/** One sentence about what a yes means. */
	consequence: string;
	/** What it would be called with. */
	arguments: Record<string, unknown>;
	/** How long an answer is waited for; none means no. */
	timeoutMs: number;
	/** The answers to offer. Another one that means yes counts as `once`. */
	choices: Answer[];
}

/** How far a call has come. */
export interface Progress {
	/** Grows with every report. */
	progress: number;
	/** Where it will end, when that is known. */
	total?: number;
	message?: string;
}

/** What an adapter's `call` and a skill's `run` are given last. */
export interface WorkOptions {
	/** Aborted when nobody waits for the result any more. */
	signal: AbortSignal;
	/**
	 * Tells the client how far the work has come, and keeps its deadline from passing. A message without a number counts as
	 * a step; what is neither is ignored.
	 */
	progress(report: Progress | { message: string }): void;
}

export interface ConfirmOptions extends Omit<CallOptions, "view"> {
	/** Consent to a tool or skill that may change something. */
	confirm?: boolean;
}

export interface SearchOptions {
	/** Only this plugin; default: all. */
	plugin?: string;
	/** How many hits at most; default: 5. */
	limit?: number;
	/** Whether each hit says why it has its score. */
	explain?: boolean;
}

export interface SearchResult {
	query: string;
	/** Whether anything is near enough to be shown to a model. */
	fits: boolean;
	/** The best first. */
	hits: SearchHit[];
	/** Prefixes of the plugins that come nearest, where nothing fits. */
	nearest: string[];
	/** Plugins that were not searched, as they did not start, and why. Each is waited for until it has started or failed. */
	missing: { plugin: string; why: string }[];
}

export interface SearchHit {
	plugin: string;
	kind: "tool" | "skill";
	name: string;
	score: number;
	explanation?: Explanation;
}

/** Why a hit has its score, which is `lexical.standard + 2 × meaning.standard + plugin`. */
export interface Explanation {
	score: number;
	/** The query calls it by its name, so it stands before all that are not. */
	named: boolean;
	/** Words in common: a share from 0 to 1. */
	lexical: ScorePart;
	/** Nearness in meaning: a cosine. Missing where no word of the query is known. */
	meaning?: ScorePart;
	/** What it gets for its plugin. */
	plugin: number;
	/** The words of the query, in its order. */
	words: WordMatch[];
}

export interface ScorePart {
	value: number;
	/** How far above the mean of all tools, in standard deviations. */
	standard: number;
}

export interface WordMatch {
	word: string;
	/** Missing where the hit has nothing of the word. */
	matched?: {
		/** The word that counted, and why it was looked for. */
		as: string;
		via: "word" | "synonym" | "glossary" | "correction";
		/** What it adds to `lexical.value`. */
		value: number;
		/** The fields it stands in, with the share of `value` that each brought. */
		fields: ["server" | "serverText" | "name" | "description" | "parameters" | "parameterTexts", number][];
	};
}

/** The state of every plugin that was found. */
export interface Status {
	version: string;
	plugins: PluginStatus[];
	/** How many child processes run. */
	children: number;
	/** What was wrong with plugins that were not loaded, and with pins. */
	warnings: string[];
	/** The view that the options or the configuration file name for servers. */
	view?: ViewKind;
	/** What the `auto` view of all plugins shows, once it was asked for, and the tokens that were estimated. */
	auto?: { kind: "flat" | "unified"; tokens: { unified: number; flat?: number } };
}

export interface PluginStatus {
	prefix: string;
	name: string;
	description: string | null;
	dir: string;
	/** What its author says beside the description, for searches. */
	discoverHint?: string;
	/** `needs set-up`: it is not started before the user has done what `reason` says. */
	state: "idle" | "starting" | "ready" | "failed" | "needs set-up";
	/** Why it failed, what of its tools and skills is missing, or what the user has to do. */
	reason?: string;
	/** There are more tools or skills than could be listed. */
	incomplete?: true;
	/** Tools that are not offered until the user has accepted their definitions: `agent-tools trust`. */
	heldBack?: string[];
	/** How many there are, once the plugin has started; before that, as many as an earlier run kept. */
	tools?: number;
	skills?: number;
	/** What is wrong with skills that could not be read; the others work. */
	brokenSkills?: string[];
	/** Where the plugin has `auth`: whether somebody has to log in; `none` for a way that knows no login. */
	auth?: "none" | "needed" | "ok";
}

/** What a login has brought. Tokens are not part of it. */
export interface LoginOutcome {
	/** The MCP server's address. */
	server: string;
	/** The authorization server. */
	issuer: string;
	scopes: string[];
	/** Seconds since 1970; the token is renewed before, where the server allows that. */
	expiresAt?: number;
	keptIn: "file" | "keyring";
}

export interface LogoutOutcome {
	server: string;
	/** Whether there was a login. */
	forgotten: boolean;
	/** Whether the authorization server has been told, and agreed. */
	revoked: boolean;
}

/** What is trusted of the plugins, and what waits for the user. */
export interface TrustReport {
	plugins: PluginTrust[];
	/** Names that can be taken for another plugin's; sentences. */
	imitations: string[];
}

export interface PluginTrust {
	prefix: string;
	/** Whether a new or changed definition is held back. */
	pinned: boolean;
	held: HeldTool[];
	/** What is suspicious in what its tools say about themselves. */
	findings: TrustFinding[];
	/** Of what is held, for `accept`. */
	digest: string;
	/** Why the file of what is trusted is of no use. */
	problem?: string;
	/** Why the plugin could not be listed. */
	failed?: string;
}

export interface HeldTool {
	tool: string;
	why: "new" | "changed" | "suspicious";
	/** A sentence without its end. */
	reason: string;
	findings: TrustFinding[];
	/** What has changed, by part; a line begins with `+`, `-` or a space, and hides no character. */
	diff: { part: string; lines: string[] }[];
}

export interface TrustFinding {
	tool: string;
	kind: "hiddenCharacters" | "lookAlike" | "instructions" | "otherTool" | "secret" | "link";
	/** `description`, `inputSchema.properties.q.description`, … */
	place: string;
	text: string;
}

export interface TrustAccepted {
	prefix: string;
	accepted: string[];
}

/** How much is asked of what services say about their tools. */
export interface TrustOptions {
	/** Whether a new or changed definition of a server's tool waits for the user; default: `pin`. */
	definitions?: "pin" | "off";
	/** What is done about suspicious descriptions; default: `warn`. */
	scan?: "warn" | "block" | "off";
	/** Prefixes of plugins whose definitions may change freely. */
	unpinned?: string[];
}

export interface StdioOptions {
	view?: View;
}

export interface HttpOptions {
	/** Default: 127.0.0.1. */
	host?: string;
	/** Default: 8321. 0 takes any free port. */
	port?: number;
	/** Clients must send it as `Authorization: Bearer <token>`. */
	token?: string;
	/** Whether `confirm: true` stands for the yes of a person whom the client has asked. Needs a token that the client alone knows. */
	approvedByClient?: boolean;
	/** Further values of the `Host` header that are answered, besides the local ones. */
	allowedHosts?: string[];
	/** Further values of the `Origin` header that are answered. */
	allowedOrigins?: string[];
	/** The longest request body. Default: 4 MiB. */
	maxBodyBytes?: number;
	/** Connections at the same time; further ones are refused. Default: 512. */
	maxConnections?: number;
	/** Requests under way at the same time; further ones are refused. Default: 256. */
	maxRequests?: number;
	/** How long a client may take for a request's head or body, stay silent or take nothing, in ms. Default: 30000. */
	clientTimeoutMs?: number;
	/** What `/mcp` shows where a request does not say; default: what the runtime was opened with, else `facade`. */
	view?: ViewKind;
	/** Whether `GET /metrics` answers with counts for Prometheus, under the same rules as `/mcp`; default: false. */
	metrics?: boolean;
	/**
	 * Whether `GET /` answers with the page of the runtime, whose data need the token of `pageUrl`; default: where only this
	 * machine reaches the server.
	 */
	page?: boolean;
}

export interface HttpAddress {
	url: string;
	host: string;
	port: number;
	/** The link to the page, with its token: who has it sees every call and can make them. */
	pageUrl?: string;
}

/** An object of your own program that gives tools. */
export interface Adapter {
	listTools(): MaybePromise<{ tools: AdapterTool[] } | AdapterTool[]>;
	call(name: string, args: unknown, options?: WorkOptions): MaybePromise<unknown>;
	describe?(name: string): MaybePromise<AdapterTool>;
	/** Shown with what `discover` finds, for example whether the credentials are in order. */
	discoverContext?(): MaybePromise<unknown>;
}

export interface AdapterTool {
	name: string;
	description?: string;
	inputSchema?: object;
	[key: string]: unknown;
}

export type MaybePromise<T> = T | Promise<T>;

/** What every plugin says of itself; the same keys as in `plugin.json`. */
export interface PluginOptions {
	/** Part of the tool names, such as `agent_tools_<prefix>_call`; at most 42 characters of `[A-Za-z0-9_-]`, others are changed. */
	prefix: string;
	name?: string;
	description?: string;
	/** Tools that never change anything. */
	readonlyTools?: string[];
	/** Whether other tools need consent; default: true. */
	requireConfirm?: boolean;
	/** One sentence for the description of the discover tool. */
	discoverHint?: string;
	/** What its program may use of the system; see docs/isolation.md. */
	limits?: { memoryMb?: number; cpuSeconds?: number; openFiles?: number; processes?: number };
	/** What its program may reach; see docs/isolation.md. */
	sandbox?:
		| boolean
		| "required"
		| { files?: { read?: string[]; write?: string[] }; network?: boolean; required?: boolean };
	/** Globs of the tools and skills to offer; default: all. */
	include?: string[];
	/** Globs of the tools and skills to leave out. */
	exclude?: string[];
	/** Skills that never change anything. */
	readonlySkills?: string[];
	/** Milliseconds that a call may take without an answer or progress; default: `deadlines.callMs`. */
	timeoutMs?: number;
	/** The same for single tools. */
	toolTimeoutsMs?: Record<string, number>;
	/** Milliseconds that starting and listing may take; default: `deadlines.loadMs`, for JavaScript modules `deadlines.moduleMs`. */
	startTimeoutMs?: number;
	/** Milliseconds that a call may take with all its progress; default: `deadlines.totalMs`. */
	maxTotalMs?: number;
}

/** A plugin whose adapter is an object of your own program. */
export interface AdapterPlugin extends PluginOptions {
	adapter: Adapter;
}

/** A plugin that has no folder with a `plugin.json`. */
export interface InlinePlugin extends PluginOptions {
	mcp?: McpCommand | McpModule | McpUrl;
	/** An HTTP service that an OpenAPI or Swagger document describes. */
	openapi?: OpenApi;
	/** A command-line program. */
	cli?: Cli;
	/** The folder that the paths below are relative to and a server is started in; default: the working folder. */
	dir?: string;
	/** Variables for the plugin's program or modules; `${VAR}` expands. */
	env?: Record<string, string>;
	/** Variables of the environment that it reads, by name: what each holds, or all about it. */
	environment?: Record<string, string | NeededVariable>;
	/** Programs that must be installed, by name: where to get each. */
	programs?: Record<string, string | { install?: string; or?: string[] }>;
	/** A JavaScript module, run in a worker thread. */
	adapter?: string;
	adapterExport?: string;
	skills?: string[];
}

export interface NeededVariable {
	/** What it holds, in a few words. */
	description?: string;
	/** Where to get it: an address, or a few words. */
	from?: string;
	/** Whether the plugin does nothing without it. */
	required?: boolean;
	/** Whether its value is a secret, whatever its name. */
	secret?: boolean;
	/** Variables that do instead. */
	or?: string[];
}

export interface McpCommand {
	command: string;
	args?: string[];
	env?: Record<string, string>;
	cwd?: string;
}

/** An npm package that is an MCP server over stdio. */
export interface McpModule {
	module: string;
	/** Needed if the package has several commands. */
	bin?: string;
	args?: string[];
	env?: Record<string, string>;
	cwd?: string;
}

export interface McpUrl {
	url: string;
	headers?: Record<string, string>;
	/** How the token is come by that is sent as `Authorization`; see docs/oauth.md. */
	auth?: HttpAuth;
}

export type HttpAuth =
	| { tokenCommand: string[] }
	| {
			oauth: {
				clientId?: string;
				clientSecret?: string;
				scopes?: string[];
				redirectPort?: number;
				clientMetadataUrl?: string;
			};
	  }
	| { clientCredentials: { clientId: string; clientSecret: string; tokenUrl?: string; scopes?: string[] } };

/** The settings are explained in docs/openapi.md. */
export interface OpenApi {
	/** A file or an http(s) URL; JSON or YAML. */
	document: string;
	baseUrl?: string;
	serverVariables?: Record<string, string>;
	/** Credentials by the name of the document's security scheme. */
	auth?: Record<string, string | { username: string; password?: string }>;
	/** How a token is got with user and password. */
	login?: {
		path: string;
		method?: string;
		body?: Record<string, unknown>;
		/** A JSON pointer. */
		token: string;
		scheme?: string;
		header?: string;
		prefix?: string;
		/** The status codes after which it runs once more; default: `[401]`. */
		renewOn?: number[];
	};
	headers?: Record<string, string>;
	query?: Record<string, string>;
	cookies?: Record<string, string>;
	include?: string[];
	exclude?: string[];
	includeTags?: string[];
	excludeTags?: string[];
	allowedOrigins?: string[];
	credentialOrigins?: string[];
	followRedirects?: boolean;
	filesFolder?: string;
	maxResponseBytes?: number;
	maxRetryWaitMs?: number;
}

/** The settings are explained in docs/cli.md. What is said here is for every tool that does not say otherwise. */
export interface Cli extends CliTool {
	/** A name for PATH, or a path. */
	command: string;
	/** By name. Without them the program is one tool, `run`. */
	tools?: Record<string, CliTool>;
}

export interface CliTool {
	description?: string;
	/** Plain text, or parameters that the caller fills in. */
	args?: (string | CliParameter)[];
	stdin?: CliParameter;
	endOfOptions?: boolean;
	env?: Record<string, string>;
	cwd?: string;
	readOnly?: boolean;
	destructive?: boolean;
	idempotent?: boolean;
	timeoutMs?: number;
	okExitCodes?: number[];
	exitCodes?: Record<string, string>;
	output?: "text" | "raw" | "json";
	/** A WHATWG label, for example `gbk`. */
	encoding?: string;
	maxOutputBytes?: number;
}

export interface CliParameter {
	param: string;
	description?: string;
	type?: "string" | "integer" | "number" | "boolean" | "array";
	items?: "string" | "integer" | "number";
	enum?: unknown[];
	minimum?: number;
	maximum?: number;
	pattern?: string;
	flag?: string;
	behind?: string;
	join?: string;
	optional?: boolean;
	default?: unknown;
	allowLeadingDash?: boolean;
}

export interface RuntimeOptions {
	/** Folders to look for `agent-tools-plugin-*` in; default: those in the variable AGENT_TOOLS_PLUGINS_DIR. */
	pluginDirs?: string[];
	/** The folder whose `node_modules`, and those above it, are searched too; default: that of this package. */
	packageRoot?: string | null;
	/**
	 * `true`, the default: the `agent-tools.json` that AGENT_TOOLS_CONFIG names, or that of the working folder or the nearest
	 * folder above it and then that of the user. A path: this one alone. `false`: none.
	 */
	config?: boolean | string;
	/** Plugins without a folder. */
	plugins?: InlinePlugin[];
	/** Plugins that are objects of your own program: `{prefix: adapter}`, or a list with more said of each. */
	adapters?: Record<string, Adapter> | AdapterPlugin[];
	/** Milliseconds until a plugin that does not answer is given up. */
	deadlines?: { loadMs?: number; moduleMs?: number; callMs?: number; totalMs?: number; skillMs?: number };
	/** When repeated failures are explained in full (3), and from which call on they are refused (5; 0: never). */
	repeats?: { explainFrom?: number; refuseFrom?: number; pauseMs?: number };
	/** What may be called, what the user is asked about, and what is not to be had; beside what the configuration files say. */
	policy?: Policy;
	/** Where services may lead to besides the public internet, added to what the user's `agent-tools.json` says. */
	network?: { allow?: string[] };
	/** Which tools servers show where their caller does not say; default: what `agent-tools.json` says, else `facade`. */
	view?: ViewKind;
	/** Tools and skills shown directly beside the verbs of `facade` and `unified`: globs of `<prefix>/<name>`. */
	pin?: string[];
	/** Whether what plugins offer is kept on disk, so that the next start shows it at once; default: true. */
	cache?: boolean;
	/** Where it is kept; default: the user's cache folder, or what AGENT_TOOLS_CACHE_DIR names. */
	cacheDir?: string;
	/** Who embeds the runtime, for the call log. */
	client?: { name: string; version?: string };
	/** The call log; see docs/audit.md. */
	audit?: {
		/** Whether calls are recorded; default: true. */
		enabled?: boolean;
		/** The folder of the log; default: what AGENT_TOOLS_AUDIT_DIR names, else one in the user's state folder. */
		dir?: string;
		/** A file of the log is not made longer than this; default: 10 MiB. */
		maxBytes?: number;
		/** Files of the log that are kept; default: 10. */
		keep?: number;
		/** Whether a call that cannot be recorded is refused; default: false. */
		required?: boolean;
	};
	/** Where spans of calls are sent, by OTLP over HTTP; default: nowhere. See docs/audit.md. */
	telemetry?: { otlp?: { endpoint?: string; headers?: Record<string, string> } };
	/** Where what must not get lost is kept, such as what is trusted; default: the user's data folder, or AGENT_TOOLS_DATA_DIR. */
	dataDir?: string;
	/** How much is asked of what services say about their tools; default: what the user's own agent-tools.json says. */
	trust?: TrustOptions;
	/** Whether plugins are found again when a file of theirs changes; default: false. */
	watch?: boolean;
	/** As with `runtime.onChange`. */
	onChange?: () => void;
	/** The version that MCP clients and servers are told; default: that of the core. */
	version?: string;
}

/** The core in this process. Plugins start on first use. */
export class Runtime {
	private constructor();

	/** Rejects with code `NATIVE_MISSING` when there is no binary for this system. */
	static open(options?: RuntimeOptions): Promise<Runtime>;

	/** The tool list that a client of this view is shown. */
	tools(view?: View): Promise<Tool[]>;

	/** The same as far as it is known without starting a plugin: from what runs, and from what an earlier run kept. */
	knownTools(view?: View): Promise<Tool[]>;

	/** The plugins as `SKILL.md` files, for clients that find skills. Starts nothing. */
	agentSkills(options?: AgentSkillOptions): Promise<AgentSkill[]>;

	/**
	 * Writes them: into `folder`, or without one into a folder of their own below the cache folder. Files of anyone else are
	 * left alone; `prune` removes what was written for plugins that are not here.
	 */
	writeAgentSkills(options?: AgentSkillOptions & { folder?: string; prune?: boolean }): Promise<WrittenSkills>;

	/** What a client of this view may tell its model beside that list: what the tools are for, and how to use them. */
	instructions(view?: View): Promise<string>;

	/** Finds tools and skills as `discover` does, for programs: with scores, and on demand with what they are made of. */
	search(query: string, options?: SearchOptions): Promise<SearchResult>;

	/** Calls a tool of that list. */
	callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolReply>;

	/** Finds tools and skills of a plugin; without a query, an overview. What was found is in `_meta`, too: {@link Discovered}. */
	discover(prefix: string, query?: string, options?: CallOptions): Promise<ToolReply>;

	/** Calls one tool of a plugin. */
	call(prefix: string, tool: string, args?: Record<string, unknown>, options?: ConfirmOptions): Promise<ToolReply>;

	/** Runs one skill of a plugin. */
	runSkill(prefix: string, skill: string, args?: Record<string, unknown>, options?: ConfirmOptions): Promise<ToolReply>;

	/** How to use the facade, and which plugins there are. */
	help(): Promise<ToolReply>;

	/** Starts no plugin. */
	status(): Promise<Status>;

	/** Starts every plugin, so that `status` can count what they offer. A plugin that fails is a state, no rejection. */
	loadAll(): Promise<void>;

	/**
	 * Finds the plugins again. Those that are as they were go on with their child processes; those that are gone or have
	 * changed are closed when their calls have ended.
	 */
	reload(): Promise<void>;

	/**
	 * Calls `listener` whenever plugins, what one of them offers or the warnings changed; `tools` tells whether a view is
	 * different. It does not keep the process alive. Returns a function that ends it.
	 */
	onChange(listener: () => void): () => void;

	/**
	 * Logs the user in to a plugin with `auth.oauth`: `onUrl` is given the address to open in a browser, and the browser is
	 * waited for five minutes.
	 */
	login(prefix: string, onUrl: (url: string) => void): Promise<LoginOutcome>;

	/** Forgets what a login has brought, here and at the service. */
	logout(prefix: string): Promise<LogoutOutcome>;

	/** What the policy says of a tool or skill, and why. Starts the plugin. */
	explainPolicy(prefix: string, name: string): Promise<PolicyExplanation>;

	/** Forgets that the user allowed a tool or skill for good. */
	forgetDecision(prefix: string, name: string): Promise<{ forgotten: boolean }>;
	/**
	 * What is held back of all plugins, or of one, and why. The plugins are listed for it, which starts them.
	 */
	trust(prefix?: string): Promise<TrustReport>;

	/**
	 * Trusts what is held back of a plugin; its tools can be called then. With the `digest` of a report it is refused where it
	 * is not what that report showed any more.
	 */
	accept(prefix: string, digest?: string): Promise<TrustAccepted>;

	/** Serves MCP on this process's stdin and stdout; resolves when stdin is closed. */
	serveStdio(options?: StdioOptions): Promise<void>;

	/** Serves MCP over Streamable HTTP; resolves once it listens, and goes on until the runtime is closed. */
	serveHttp(options?: HttpOptions): Promise<HttpAddress>;

	/** Stops every plugin and server. Later calls reject with code `CLOSED`. */
	close(): Promise<void>;

	/** The same at once and synchronously, for handlers of `exit`. */
	closeNow(): void;

	[Symbol.asyncDispose](): Promise<void>;
}

/** What failed (`message`), under which stable `code`, and what to do about it (`hint`). */
export class AgentToolsError extends Error {
	constructor(code: string, message: string, more?: { hint?: string; cause?: unknown });
	code: string;
	hint: string | undefined;
}
