import type { ExtensionAPI, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Details } from "./result.ts";

/** A tool as Pi is told of it. */
export interface Declared {
	/** What the definition was made from: the same text is the same tool. */
	text: string;
	// biome-ignore lint/suspicious/noExplicitAny: the parameters differ from tool to tool
	definition: ToolDefinition<any, Details>;
}

/**
 * What Pi was told of, in groups that are renewed one by one. Only news reach Pi, so that what it declares to the model
 * stays the same byte for byte; and as Pi has no way to take a tool back, what is gone is hidden.
 */
export class ToolRegistry {
	#pi: ExtensionAPI;
	#groups = new Map<string, Map<string, Declared>>();

	constructor(pi: ExtensionAPI) {
		this.#pi = pi;
	}

	groups(): string[] {
		return [...this.#groups.keys()];
	}

	/** Makes these the tools of a group. */
	set(group: string, tools: Declared[]): void {
		const before = this.#groups.get(group) ?? new Map<string, Declared>();
		const now = new Map(tools.map((tool) => [tool.definition.name, tool]));
		this.#groups.set(group, now);
		for (const [name, { text, definition }] of now) {
			if (before.get(name)?.text !== text) this.#pi.registerTool(definition);
		}
		for (const [name, { definition }] of before) {
			if (!now.has(name)) this.#pi.registerTool({ ...definition, exposure: "hidden" });
		}
	}

	remove(group: string): void {
		this.set(group, []);
		this.#groups.delete(group);
	}
}
