import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Session } from "../src/session.ts";
import { VIEW_FLAG } from "../src/view.ts";

/** The part of the system prompt that is ours, where there is one. */
const SECTION = "agent_tools";

/**
 * Pi runs this anew for each session, and also where no session follows, so it opens nothing: the session's events do.
 * A throw here would end Pi; nothing here can.
 */
export default function agentToolsRuntime(pi: ExtensionAPI): void {
	const session = new Session(pi);
	pi.on("session_start", (_event, ctx) => session.start(ctx));
	pi.on("session_shutdown", () => session.end());
	pi.on("resources_discover", async (_event, ctx) => ({ skillPaths: await session.skillPaths(ctx) }));
	pi.on("tool_call", (event, ctx) => session.beforeCall(event, ctx));
	pi.on("before_agent_start", async (event) => {
		const { sections } = event.systemPromptOptions;
		const section = await session.section();
		if (section) sections[SECTION] = section;
		else delete sections[SECTION];
	});
	pi.registerFlag(VIEW_FLAG, {
		description: "How the tools of plugins are shown: facade, unified, flat or auto (AGENT_TOOLS_VIEW)",
		type: "string",
	});
	pi.registerCommand("agent-tools", {
		description: "Show the plugins of agent-tools-runtime, their state and their warnings",
		handler: (_args, ctx) => session.showStatus(ctx),
	});
}
