import type { ExtensionAPI, ExtensionContext, ToolCallEvent } from "@earendil-works/pi-coding-agent";
import type { View } from "@rckflr/agent-tools-runtime";
import { DeferredOffer } from "./deferred/offer.ts";
import { DirectOffer } from "./direct-offer.ts";
import type { Core } from "./tool-definition.ts";
import { ToolRegistry } from "./tool-registry.ts";
import type { ViewName } from "./view.ts";

/** How a view of the core becomes tools of Pi, in one session. */
export interface Offer {
	/** At the start of the session, before the model is asked anything. Waits for no plugin to start. */
	begin(ctx: ExtensionContext): Promise<void>;
	/** After plugins, or what they offer, have changed. */
	renew(): Promise<void>;
	/** Before a tool runs, whichever it is. */
	beforeCall(event: ToolCallEvent, ctx: ExtensionContext): Promise<void>;
	/** What the system prompt says of the plugins, where their tools do not say it themselves. */
	readonly section: string | undefined;
}

/** What an offer is made from. */
export interface OfferParts extends Core {
	pi: ExtensionAPI;
	registry: ToolRegistry;
	/** Tells a person of something that goes on without it. */
	warn: (message: string) => void;
}

export function offerOf(view: ViewName, parts: Omit<OfferParts, "registry">): Offer {
	const all = { ...parts, registry: new ToolRegistry(parts.pi) };
	return view === "flat" ? new DeferredOffer(all) : new DirectOffer(all, { kind: view } as View);
}
