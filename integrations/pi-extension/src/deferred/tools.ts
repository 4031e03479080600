import type { ToolNamespace } from "@earendil-works/pi-coding-agent";
import type { PluginStatus, Tool } from "@rckflr/agent-tools-runtime";
import { type Core, directTool, toolBase } from "../tool-definition.ts";
import type { Declared, ToolRegistry } from "../tool-registry.ts";
import { DeferredNames } from "./names.ts";

/** The group of what belongs to no plugin. No prefix is empty. */
const OWN = "";
/** Reads on in a long result. The model must see it by then, so it is the one tool that is not deferred. */
const READ_MORE = "read_more";

/** Tells Pi of every tool and skill of every plugin, for its own search. */
export class DeferredTools {
	#core: Core;
	#registry: ToolRegistry;
	#names = new DeferredNames();
	/** The core's own `read_more`, as text: each list holds it, and one is enough. */
	#readMore = "";

	constructor(core: Core, registry: ToolRegistry) {
		this.#core = core;
		this.#registry = registry;
	}

	/** Registers what is known, and hides what is gone. Starts nothing. */
	async registerKnown(): Promise<void> {
		await this.#registerReadMore();
		const { plugins } = await this.#core.runtime.status();
		for (const plugin of plugins) await this.registerKnownOf(plugin);
		const prefixes = plugins.map(({ prefix }) => prefix);
		for (const group of this.#registry.groups()) {
			if (group !== OWN && !prefixes.includes(group)) this.#registry.remove(group);
		}
	}

	/** The same for one plugin. */
	async registerKnownOf(plugin: PluginStatus): Promise<void> {
		const tools = await this.#core.runtime.knownTools({ kind: "flat", plugin: plugin.prefix });
		const own = tools.filter((tool) => JSON.stringify(tool) !== this.#readMore);
		this.#registry.set(
			plugin.prefix,
			own.map((tool) => this.#deferred(tool, plugin)),
		);
	}

	async #registerReadMore(): Promise<void> {
		const view = { kind: "flat" } as const;
		const all = await this.#core.runtime.knownTools(view);
		const tool = all.find(({ name }) => name === READ_MORE);
		if (!tool) return;
		this.#readMore = JSON.stringify(tool);
		this.#registry.set(OWN, [{ text: this.#readMore, definition: directTool(tool, this.#core, view) }]);
	}

	#deferred(tool: Tool, plugin: PluginStatus): Declared {
		const namespace = namespaceOf(plugin);
		return {
			text: JSON.stringify([tool, namespace]),
			definition: {
				...toolBase(tool, this.#core, { kind: "flat", plugin: plugin.prefix }),
				name: this.#names.of(plugin.prefix, tool.name),
				...(tool.outputSchema ? { outputSchema: tool.outputSchema } : {}),
				exposure: "deferred",
				namespace,
			},
		};
	}
}

/**
 * Pi's search weighs every word of this for each tool of the plugin: only what the plugin's author says of it belongs here,
 * and no word that all plugins would share.
 */
function namespaceOf({ prefix, name, description, discoverHint }: PluginStatus): ToolNamespace {
	return {
		name: prefix,
		...(name === prefix ? {} : { aliases: [name] }),
		...(description ? { description } : {}),
		...(discoverHint ? { instructions: discoverHint } : {}),
	};
}
