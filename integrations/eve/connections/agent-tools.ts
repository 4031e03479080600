// Copy to `agent/connections/`. The file's name becomes the connection's: the model sees `agent-tools__<tool>`.
import { defineMcpClientConnection } from "eve/connections";

const token = process.env.AGENT_TOOLS_TOKEN;

export default defineMcpClientConnection({
	// One plugin per connection: its tools are then listed one by one, each with its own schema and its own approval.
	// eve writes this into its manifest when it compiles, so set the variable before `eve dev` or `eve build`.
	url: process.env.AGENT_TOOLS_URL ?? "http://127.0.0.1:8321/mcp/demo",
	// Search scores these words, and the model chooses a connection by them: say what a user would say.
	description: "demo: list, read, create and close issues; list and add notes.",
	// No `auth` without a token: an empty bearer is worse than none.
	...(token ? { auth: { getToken: async () => ({ token }) } } : {}),
	// These two belong together. The runtime wants `confirm: true` for whatever may change something; eve adds it to
	// every call and hides it from the model, because here a person consents, by the approval below. With either of
	// them alone, nothing that changes something would run, or everything would, unasked. What may destroy something runs
	// only if the runtime was started with --approved-by-client: then it takes the confirm for that person's yes.
	toolCall: { providedArguments: { confirm: true } },
	approval: ({ toolAnnotations }) => (toolAnnotations?.readOnlyHint === true ? "not-applicable" : "user-approval"),
});
