import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Runtime } from "@rckflr/agent-tools-runtime";
import { within } from "./deadline.ts";
import { describeFailure } from "./failure.ts";
import { say } from "./say.ts";
import { statusText } from "./status.ts";
import { isDeclarable, toolDefinition } from "./tool-definition.ts";

/** Opening reads manifests and starts nothing, so more than this means a disk that does not answer. */
const OPEN_MS = 15_000;
/** Pi waits for this at its end. */
const CLOSE_MS = 5_000;

/** The core in one session of Pi: opened at its start, closed at its end, shared with no other session. */
export class Session {
	#pi: ExtensionAPI;
	#runtime: Runtime | undefined;
	#trouble: string | undefined;
	/** What Pi was told of each tool, as text. */
	#registered = new Map<string, string>();
	/** The warnings that a person was told. */
	#warnings: string[] = [];

	constructor(pi: ExtensionAPI) {
		this.#pi = pi;
	}

	/** Never rejects: without the core Pi goes on, and a person is told what is missing. */
	async start(ctx: ExtensionContext): Promise<void> {
		await this.end();
		try {
			const runtime = await openRuntime();
			this.#runtime = runtime;
			await this.#registerTools(runtime, ctx);
			runtime.onChange(() => void this.#follow(runtime, ctx));
			await this.#sayWarnings(runtime, ctx);
		} catch (error) {
			this.#trouble = `no tools in this session. ${describeFailure(error)}`;
			say(ctx, "warning", this.#trouble);
		}
	}

	/** Never rejects, so that a plugin that does not stop cannot keep Pi from ending. */
	async end(): Promise<void> {
		const runtime = this.#runtime;
		this.#runtime = undefined;
		this.#trouble = undefined;
		this.#registered = new Map();
		this.#warnings = [];
		if (!runtime) return;
		try {
			await within(CLOSE_MS, runtime.close(), "closing");
		} catch {
			runtime.closeNow();
		}
	}

	async showStatus(ctx: ExtensionContext): Promise<void> {
		try {
			if (this.#runtime) say(ctx, "info", statusText(await this.#runtime.status()));
			else say(ctx, "warning", this.#trouble ?? "the session has not started");
		} catch (error) {
			say(ctx, "error", describeFailure(error));
		}
	}

	/** Registers what Pi does not know yet, and hides what is gone: Pi has no way to take a tool back. */
	async #registerTools(runtime: Runtime, ctx: ExtensionContext): Promise<void> {
		const tools = await runtime.tools();
		if (runtime !== this.#runtime) return;
		const before = this.#registered;
		this.#registered = new Map(tools.map((tool) => [tool.name, JSON.stringify(tool)]));
		for (const tool of tools) {
			if (before.get(tool.name) === this.#registered.get(tool.name)) continue;
			if (isDeclarable(tool.name)) this.#pi.registerTool(toolDefinition(tool, runtime));
			else say(ctx, "warning", `the tool ${tool.name} is left out: no model provider accepts that name`);
		}
		for (const [name, text] of before) {
			if (this.#registered.has(name) || !isDeclarable(name)) continue;
			this.#pi.registerTool({ ...toolDefinition(JSON.parse(text), runtime), exposure: "hidden" });
		}
	}

	async #sayWarnings(runtime: Runtime, ctx: ExtensionContext): Promise<void> {
		const { warnings } = await runtime.status();
		if (runtime !== this.#runtime) return;
		for (const warning of warnings) if (!this.#warnings.includes(warning)) say(ctx, "warning", warning);
		this.#warnings = warnings;
	}

	/** After a change. Never rejects, as nobody waits for it. */
	async #follow(runtime: Runtime, ctx: ExtensionContext): Promise<void> {
		try {
			await this.#registerTools(runtime, ctx);
			await this.#sayWarnings(runtime, ctx);
		} catch (error) {
			if (runtime === this.#runtime) say(ctx, "warning", describeFailure(error));
		}
	}
}

/** The package is imported here, not at the top, so that a broken install is a warning like any other. */
async function openRuntime(): Promise<Runtime> {
	const { Runtime } = await import("@rckflr/agent-tools-runtime");
	const opening = Runtime.open({ watch: true });
	try {
		return await within(OPEN_MS, opening, "opening");
	} catch (error) {
		opening.then((late) => late.close()).catch(() => {});
		throw error;
	}
}
