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
			for (const warning of (await runtime.status()).warnings) say(ctx, "warning", warning);
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

	async #registerTools(runtime: Runtime, ctx: ExtensionContext): Promise<void> {
		for (const tool of await runtime.tools()) {
			if (isDeclarable(tool.name)) this.#pi.registerTool(toolDefinition(tool, runtime));
			else say(ctx, "warning", `the tool ${tool.name} is left out: no model provider accepts that name`);
		}
	}
}

/** The package is imported here, not at the top, so that a broken install is a warning like any other. */
async function openRuntime(): Promise<Runtime> {
	const { Runtime } = await import("@rckflr/agent-tools-runtime");
	const opening = Runtime.open();
	try {
		return await within(OPEN_MS, opening, "opening");
	} catch (error) {
		opening.then((late) => late.close()).catch(() => {});
		throw error;
	}
}
