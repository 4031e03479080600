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

/** Which tool list a client is shown. */
export interface View {
	/** `facade`: three tools a plugin. `flat`: one typed tool per tool and per skill. */
	kind: "facade" | "flat";
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

/** The answer to a call. A failure that the model can act on is a reply with `isError`, not a rejection. */
export interface ToolReply {
	content: ContentBlock[];
	isError: boolean;
	structuredContent?: unknown;
	/** For programs, not for the model; in the flat view it holds the receipt. */
	_meta?: Record<string, unknown>;
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

/** The state of every plugin that was found. */
export interface Status {
	version: string;
	plugins: PluginStatus[];
	/** How many child processes run. */
	children: number;
	/** What was wrong with plugins that were not loaded. */
	warnings: string[];
}

export interface PluginStatus {
	prefix: string;
	name: string;
	description: string | null;
	dir: string;
	state: "idle" | "starting" | "ready" | "failed";
	/** Why it failed, or what of its tools and skills is missing. */
	reason?: string;
	/** There are more tools or skills than could be listed. */
	incomplete?: true;
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
	/** Further values of the `Host` header that are answered, besides the local ones. */
	allowedHosts?: string[];
	/** Further values of the `Origin` header that are answered. */
	allowedOrigins?: string[];
	/** The longest request body. */
	maxBodyBytes?: number;
}

export interface HttpAddress {
	url: string;
	host: string;
	port: number;
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
	/** A JavaScript module, run in a worker thread. */
	adapter?: string;
	adapterExport?: string;
	skills?: string[];
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
	flag?: string;
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
	/** Whether what plugins offer is kept on disk, so that the next start shows it at once; default: true. */
	cache?: boolean;
	/** Where it is kept; default: the user's cache folder, or what AGENT_TOOLS_CACHE_DIR names. */
	cacheDir?: string;
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

	/** Calls a tool of that list. */
	callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolReply>;

	/** Finds tools and skills of a plugin; without a query, the most common ones. */
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
