// Copy to `agent/connections/`, in place of one connection for each plugin. The file's name becomes the connection's: the
// model sees `agent-tools-all__agent_tools_discover`, `…_call` and `…_run_skill`.
import { defineMcpClientConnection } from "eve/connections";

const token = process.env.AGENT_TOOLS_TOKEN;

export default defineMcpClientConnection({
	// All plugins behind three tools. eve writes this into its manifest when it compiles.
	url: process.env.AGENT_TOOLS_URL ?? "http://127.0.0.1:8321/mcp?view=unified",
	// Search scores these words, and the model chooses a connection by them: say what a user would say.
	description: "agent_tools_discover finds a tool for anything: issues, notes, files, weather, …",
	// No `auth` without a token: an empty bearer is worse than none.
	...(token ? { auth: { getToken: async () => ({ token }) } } : {}),
	// One tool calls them all, so eve cannot tell a call that only reads by its annotations. The runtime can: it refuses
	// whatever may change something unless the call says `confirm`. So a person is asked where that word is, in whatever
	// place and spelling, and a call without it may run.
	approval: ({ toolInput }) =>
		/confirm|\\u/i.test(JSON.stringify(toolInput ?? null)) ? "user-approval" : "not-applicable",
});
