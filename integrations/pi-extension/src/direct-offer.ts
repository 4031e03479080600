import type { View } from "@rckflr/agent-tools-runtime";
import type { Offer, OfferParts } from "./offer.ts";
import { directTool, isDeclarable } from "./tool-definition.ts";

/** The tools of a view as the core lists them, declared to the model in every request. */
export class DirectOffer implements Offer {
	#parts: OfferParts;
	#view: View;
	readonly section = undefined;

	constructor(parts: OfferParts, view: View) {
		this.#parts = parts;
		this.#view = view;
	}

	begin(): Promise<void> {
		return this.renew();
	}

	async renew(): Promise<void> {
		const { runtime, registry, warn } = this.#parts;
		const tools = await runtime.tools(this.#view);
		const declarable = tools.filter(({ name }) => {
			if (isDeclarable(name)) return true;
			warn(`the tool ${name} is left out: no model provider accepts that name`);
			return false;
		});
		registry.set(
			"",
			declarable.map((tool) => ({
				text: JSON.stringify(tool),
				definition: directTool(tool, this.#parts, this.#view),
			})),
		);
	}

	async beforeCall(): Promise<void> {}
}
