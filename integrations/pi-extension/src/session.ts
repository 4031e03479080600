import type { ExtensionAPI, ExtensionContext, ToolCallEvent } from "@earendil-works/pi-coding-agent";
import type { Runtime, View } from "@rckflr/agent-tools-runtime";
import { Dialogs } from "./consent/dialogs.ts";
import { within } from "./deadline.ts";
import { describeFailure } from "./failure.ts";
import { type Offer, offerOf } from "./offer.ts";
import { say } from "./say.ts";
import { chosenAudience, SKILLS_VARIABLE, skillPaths } from "./skills.ts";
import { statusText } from "./status.ts";
import { chosenView, VIEW_FLAG, VIEW_VARIABLE } from "./view.ts";

/** Opening reads manifests and starts nothing, so more than this means a disk that does not answer. */
const OPEN_MS = 15_000;
/** Pi waits for this at its end. */
const CLOSE_MS = 5_000;

/** The core in one session of Pi: opened at its start, closed at its end, shared with no other session. */
export class Session {
	#pi: ExtensionAPI;
	#runtime: Runtime | undefined;
	#offer: Offer | undefined;
	#view: View = { kind: "facade" };
	/** Settles when the changes so far have reached Pi. */
	#renewal: Promise<void> = Promise.resolve();
	#trouble: string | undefined;
	/** What a person was told. */
	#told = new Set<string>();

	constructor(pi: ExtensionAPI) {
		this.#pi = pi;
	}

	/** Never rejects: without the core Pi goes on, and a person is told what is missing. */
	async start(ctx: ExtensionContext): Promise<void> {
		await this.end();
		try {
			const { view, complaint } = chosenView(this.#pi.getFlag(VIEW_FLAG), process.env[VIEW_VARIABLE]);
			if (complaint) say(ctx, "warning", complaint);
			const runtime = await openRuntime();
			this.#runtime = runtime;
			const warn = (message: string) => this.#warn(runtime, ctx, message);
			this.#view = { kind: view } as View;
			const offer = offerOf(view, { pi: this.#pi, runtime, dialogs: new Dialogs(), warn });
			await offer.begin(ctx);
			if (runtime !== this.#runtime) return;
			this.#offer = offer;
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
		this.#offer = undefined;
		this.#trouble = undefined;
		this.#told = new Set();
		if (!runtime) return;
		try {
			await within(CLOSE_MS, runtime.close(), "closing");
		} catch {
			runtime.closeNow();
		}
	}

	/** Never rejects, as Pi takes that for a refusal of the call. */
	async beforeCall(event: ToolCallEvent, ctx: ExtensionContext): Promise<void> {
		await this.#offer?.beforeCall(event, ctx).catch(() => {});
	}

	/** What the system prompt says of the plugins, beside their tools. Changes that are under way are waited for. */
	async section(): Promise<string | undefined> {
		await this.#renewal;
		return this.#offer?.section;
	}

	/** Folders with the plugins as skills. Never rejects: they are there beside the tools, and a person is told. */
	async skillPaths(ctx: ExtensionContext): Promise<string[]> {
		const runtime = this.#runtime;
		if (!runtime) return [];
		const { audience, complaint } = chosenAudience(process.env[SKILLS_VARIABLE]);
		if (complaint) this.#warn(runtime, ctx, complaint);
		try {
			return await skillPaths(runtime, this.#view, audience);
		} catch (error) {
			this.#warn(runtime, ctx, `no skills in this session. ${describeFailure(error)}`);
			return [];
		}
	}

	async showStatus(ctx: ExtensionContext): Promise<void> {
		try {
			// What is shown is what the model has from now on.
			await this.#renew();
			if (this.#runtime) say(ctx, "info", statusText(await this.#runtime.status()));
			else say(ctx, "warning", this.#trouble ?? "the session has not started");
		} catch (error) {
			say(ctx, "error", describeFailure(error));
		}
	}

	/** Says a thing once, and nothing of a session that is over. */
	#warn(runtime: Runtime, ctx: ExtensionContext, message: string): void {
		if (runtime !== this.#runtime || this.#told.has(message)) return;
		this.#told.add(message);
		say(ctx, "warning", message);
	}

	async #sayWarnings(runtime: Runtime, ctx: ExtensionContext): Promise<void> {
		const { warnings } = await runtime.status();
		for (const warning of warnings) this.#warn(runtime, ctx, warning);
	}

	/** One at a time, so that the newest list is the last one to be registered. */
	#renew(): Promise<void> {
		const renewal = this.#renewal.then(() => this.#offer?.renew());
		this.#renewal = renewal.catch(() => {});
		return renewal;
	}

	/** After a change. Never rejects, as nobody waits for it. */
	async #follow(runtime: Runtime, ctx: ExtensionContext): Promise<void> {
		try {
			await this.#renew();
			await this.#sayWarnings(runtime, ctx);
		} catch (error) {
			this.#warn(runtime, ctx, describeFailure(error));
		}
	}
}

/** The package is imported here, not at the top, so that a broken install is a warning like any other. */
async function openRuntime(): Promise<Runtime> {
	const { Runtime } = await import("@rckflr/agent-tools-runtime");
	const opening = Runtime.open({ watch: true, client: { name: "pi" } });
	try {
		return await within(OPEN_MS, opening, "opening");
	} catch (error) {
		opening.then((late) => late.close()).catch(() => {});
		throw error;
	}
}
