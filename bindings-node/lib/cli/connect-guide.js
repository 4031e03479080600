/**
 * What to paste to let a client in.
 *
 * @param {{url: string, prefixes: string[], withToken: boolean}} server
 */
export function connectGuide({ url, prefixes, withToken }) {
	const header = withToken ? { headers: { Authorization: "Bearer <token>" } } : {};
	const curl = [
		`curl -s ${url}`,
		"-H 'content-type: application/json'",
		...(withToken ? ['-H "authorization: Bearer $AGENT_TOOLS_HTTP_TOKEN"'] : []),
		`-d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agent_tools_help"}}'`,
	].join(" ");
	const servers = { mcpServers: { "agent-tools": { url, ...header } } };
	const auth = withToken
		? "\n      auth: { getToken: async () => ({ token: process.env.AGENT_TOOLS_HTTP_TOKEN! }) },"
		: "";
	return `
Connect a client:

  Try it from another terminal:
    ${curl}

  Pi, in its own process (needs no server):
    pi install npm:agent-tools-runtime-pi-extension

  eve, as agent/connections/agent-tools.ts:
    import { defineMcpClientConnection } from "eve/connections";
    export default defineMcpClientConnection({
      url: "${url}/${prefixes[0] ?? "<prefix>"}",
      description: "What its tools are for, in words that a user would say.",${auth}
      toolCall: { providedArguments: { confirm: true } },
      approval: ({ toolAnnotations }) => (toolAnnotations?.readOnlyHint === true ? "not-applicable" : "user-approval"),
    });

  Others, in their mcp.json:
    ${JSON.stringify(servers)}

Ctrl-C ends.`;
}
