import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Session } from "../src/session.ts";

/**
 * Pi runs this anew for each session, and also where no session follows, so it opens nothing: the session's events do.
 * A throw here would end Pi; nothing here can.
 */
export default function agentToolsRuntime(pi: ExtensionAPI): void {
	const session = new Session(pi);
	pi.on("session_start", (_event, ctx) => session.start(ctx));
	pi.on("session_shutdown", () => session.end());
	pi.registerCommand("agent-tools", {
		description: "Show the plugins of agent-tools-runtime, their state and their warnings",
		handler: (_args, ctx) => session.showStatus(ctx),
	});
}
