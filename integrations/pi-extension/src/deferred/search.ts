import type { ExtensionAPI, ToolCallEvent } from "@earendil-works/pi-coding-agent";

/** Pi's own tools that reach what is not declared to the model. */
const SEARCH = "tool_search";
const SCRIPTS = "codemode";

/** Has Pi declare its search. False where neither that nor codemode can be: then nobody reaches the deferred tools. */
export function activateSearch(pi: ExtensionAPI): boolean {
	const before = pi.getActiveTools();
	// Another extension's tool of that name would not reach them.
	const reaches = (name: string) => pi.getAllTools().some((tool) => tool.name === name && tool.reachesTools);
	if (reaches(SEARCH) && !before.includes(SEARCH)) pi.setActiveTools([...before, SEARCH]);
	return pi.getActiveTools().some((name) => [SEARCH, SCRIPTS].includes(name) && reaches(name));
}

/** Which plugins a call may reach, if it is one of a tool that reaches others. */
export function reachOf(pi: ExtensionAPI, event: ToolCallEvent): ((prefix: string) => boolean) | undefined {
	const tool = pi.getAllTools().find(({ name }) => name === event.toolName);
	const reach = tool?.reachesTools?.(event.input as Record<string, unknown>);
	if (reach === undefined) return undefined;
	return (prefix) => reach === "all" || reach.some((word) => word.includes(prefix));
}
