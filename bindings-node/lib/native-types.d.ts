/** The addon's exports: private to this package. See docs/architecture.md, "The border between Rust and JavaScript". */
export interface Native {
	CancelHandle: new () => CancelHandle;
	NativeRuntime: {
		open(optionsJson: string, dispatch: Dispatch): NativeRuntime;
	};
	/** SIGKILL to a process and to the group that it leads. */
	killTree(pid: number): void;
	/** A text without known secrets and without what has the shape of a token. */
	scrub(text: string): string;
	/** `{name, keptIn, path?}` */
	secretSet(name: string, value: string): string;
	/** `[{name, keptIn, path}]` */
	secretList(): string;
	secretRemove(name: string): void;
	/** Answers a question about the call log: `{dir?, config?, ask: {list | statistics | receipt | verify: {…}}}`. */
	readAudit(questionJson: string): Promise<string>;
	/** What is wrong with a plugin's folder or a configuration file: a JSON array of `{error, message}`. */
	validate(path: string): Promise<string>;
}

export type Dispatch = (op: string, json: string) => Promise<string>;

export interface CancelHandle {
	cancel(): void;
}

export interface NativeRuntime {
	tools(viewJson: string): Promise<string>;
	/** Starts nothing. */
	knownTools(viewJson: string): Promise<string>;
	agentSkills(optionsJson: string): Promise<string>;
	writeAgentSkills(optionsJson: string): Promise<string>;
	instructions(viewJson: string): Promise<string>;
	search(query: string, optionsJson: string): Promise<string>;
	callTool(
		requestJson: string,
		cancel?: CancelHandle,
		onProgress?: (progressJson: string) => void,
		onAsk?: (questionJson: string) => Promise<string>,
	): Promise<string>;
	skillCall(callId: string, tool: string, argumentsJson: string): Promise<string>;
	/** Progress that a JavaScript plugin reports for a call or a skill's run. */
	report(plugin: string, callId: string, progressJson: string): void;
	status(): string;
	loadAll(): Promise<void>;
	reload(): Promise<void>;
	/** Keeps no process alive. */
	onChange(listener: () => void): void;
	explainPolicy(plugin: string, name: string): Promise<string>;
	forgetDecision(plugin: string, name: string): Promise<string>;
	login(prefix: string, onUrl: (url: string) => void): Promise<string>;
	logout(prefix: string): Promise<string>;
	trust(prefix?: string): Promise<string>;
	accept(prefix: string, digest?: string): Promise<string>;
	serveStdio(optionsJson: string): Promise<void>;
	serveHttp(optionsJson: string): Promise<string>;
	/** Has a process group killed when this process disappears without closing. */
	watchGroup(pid: number): void;
	forgetGroup(pid: number): void;
	close(): Promise<void>;
	closeNow(): void;
}
