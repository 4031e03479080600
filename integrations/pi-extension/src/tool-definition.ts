import type { ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Progress, Runtime, Tool } from "@rckflr/agent-tools-runtime";
import { looseSchema } from "./loose-schema.ts";
import { type Details, rejectedResult, resultOf, updateOf } from "./result.ts";

type PiTool = ToolDefinition<Tool["inputSchema"], Details>;

/** The longest `promptSnippet`: it stands in the system prompt of every request. */
const SNIPPET_CHARS = 100;

/** What every model provider accepts as a tool's name; Pi itself checks nothing. */
export function isDeclarable(name: string): boolean {
	return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/** A tool of the core as Pi declares it: name, description and annotations are the core's own. */
export function toolDefinition(tool: Tool, runtime: Runtime): PiTool {
	const description = tool.description ?? "";
	return {
		name: tool.name,
		label: tool.title ?? tool.name,
		description,
		promptSnippet: snippet(description),
		promptGuidelines: guidelines(tool.name),
		parameters: looseSchema(tool.inputSchema),
		...(tool.annotations ? { annotations: tool.annotations } : {}),
		executionMode: "parallel",
		async execute(_id, params, signal, onUpdate) {
			try {
				const options = {
					...(signal ? { signal } : {}),
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
	if (name !== "agent_tools_help") return [];
	return [
		"agent_tools_*: find a tool or skill with its plugin's _discover, then use its exact name in _call or _run_skill; agent_tools_help lists the plugins.",
	];
}
