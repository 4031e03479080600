import type { ExtensionContext, ToolCallEvent } from "@earendil-works/pi-coding-agent";
import { within } from "../deadline.ts";
import { describeFailure } from "../failure.ts";
import type { Offer, OfferParts } from "../offer.ts";
import { Listing } from "./listing.ts";
import { activateSearch, reachOf } from "./search.ts";
import { sectionText } from "./section.ts";
import { DeferredTools } from "./tools.ts";

/** A search waits this long for plugins that have never been listed; then it goes on with what is known. */
const WAIT_MS = 20_000;

/** Every tool and skill by itself, found by Pi's own `tool_search` and by codemode. */
export class DeferredOffer implements Offer {
	#parts: OfferParts;
	#tools: DeferredTools;
	#listing: Listing;
	section: string | undefined;

	constructor(parts: OfferParts) {
		this.#parts = parts;
		const tools = new DeferredTools(parts, parts.registry);
		this.#tools = tools;
		this.#listing = new Listing(
			parts.runtime,
			(plugin) => tools.registerKnownOf(plugin),
			({ prefix }, error) => parts.warn(`${prefix} cannot be listed. ${describeFailure(error)}`),
		);
	}

	async begin(): Promise<void> {
		await this.renew();
		if (!activateSearch(this.#parts.pi)) {
			this.#parts.warn("the tools cannot be reached: neither tool_search nor codemode may be used in this session");
		}
		void this.#listing.complete(() => true).catch(() => {});
	}

	async renew(): Promise<void> {
		await this.#tools.registerKnown();
		const { plugins } = await this.#parts.runtime.status();
		this.section = sectionText(plugins);
	}

	async beforeCall(event: ToolCallEvent, ctx: ExtensionContext): Promise<void> {
		const reached = reachOf(this.#parts.pi, event);
		if (!reached || ctx.signal?.aborted) return;
		const aborted = new Promise<void>((resolve) => {
			ctx.signal?.addEventListener("abort", () => resolve(), { once: true });
		});
		await within(WAIT_MS, Promise.race([this.#listing.complete(reached), aborted]), "listing").catch(() => {});
	}
}
