import type { ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Progress, Runtime, Tool, View } from "@rckflr/agent-tools-runtime";
import type { Dialogs } from "./consent/dialogs.ts";
import { looseSchema } from "./loose-schema.ts";
import { type Details, rejectedResult, resultOf, updateOf } from "./result.ts";

export type PiTool = ToolDefinition<Tool["inputSchema"], Details>;

/** What a tool needs to be called. */
export interface Core {
	runtime: Runtime;
	/** Where a person is asked. */
	dialogs: Dialogs;
}

/** The longest `promptSnippet`: it stands in the system prompt of every request. */
const SNIPPET_CHARS = 100;

/** What every model provider accepts as a tool's name; Pi itself checks nothing. */
export function isDeclarable(name: string): boolean {
	return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/** A tool of the core that Pi declares to the model in every request. */
export function directTool(tool: Tool, core: Core, view: View): PiTool {
	const description = tool.description ?? "";
	return {
		...toolBase(tool, core, view),
		promptSnippet: snippet(description),
		promptGuidelines: guidelines(tool.name),
		parameters: looseSchema(tool.inputSchema),
	};
}

/** What holds for a tool however the model reaches it: its words and annotations are the core's own. */
export function toolBase(tool: Tool, { runtime, dialogs }: Core, view: View): PiTool {
	return {
		name: tool.name,
		label: tool.title ?? tool.name,
		description: tool.description ?? "",
		parameters: tool.inputSchema,
		...(tool.annotations ? { annotations: tool.annotations } : {}),
		executionMode: "parallel",
		async execute(_id, params, signal, onUpdate, ctx) {
			try {
				const ask = dialogs.askIn(ctx, signal);
				const options = {
					view,
					...(signal ? { signal } : {}),
					...(ask ? { ask } : {}),
					onProgress: (progress: Progress) => onUpdate?.(updateOf(progress)),
				};
				return resultOf(await runtime.callTool(tool.name, params as Record<string, unknown>, options));
			} catch (error) {
				return rejectedResult(error);
			}
		},
	};
}

/** The first sentence, cut at a word. */
function snippet(description: string): string {
	const [sentence = ""] = description.replaceAll(/\s+/g, " ").split(/(?<=\.) /);
	if (sentence.length <= SNIPPET_CHARS) return sentence;
	return `${sentence.slice(0, sentence.lastIndexOf(" ", SNIPPET_CHARS))} …`;
}

/** One rule for all plugins, so that the system prompt does not grow with their number. */
function guidelines(name: string): string[] {
	if (name === "agent_tools_discover") {
		return [
			"agent_tools_*: find a tool or skill of any service with agent_tools_discover, then use its exact name in agent_tools_call or agent_tools_run_skill.",
		];
	}
	if (name !== "agent_tools_help") return [];
	return [
		"agent_tools_*: find a tool or skill with its plugin's _discover, then use its exact name in _call or _run_skill; agent_tools_help lists the plugins.",
	];
}
