/**
 * What to paste to let a client in.
 *
 * @param {object} server
 * @param {string} server.url where it listens
 * @param {string[]} server.prefixes
 * @param {boolean} server.withToken
 * @param {string[]} [server.allowedHosts]
 */
export function connectGuide({ url: listens, prefixes, withToken, allowedHosts = [] }) {
	const url = fromHere(listens);
	const header = withToken ? { headers: { Authorization: "Bearer <token>" } } : {};
	const curl = [
		`curl -s ${url}`,
		"-H 'content-type: application/json'",
		...(withToken ? ['-H "authorization: Bearer $AGENT_TOOLS_HTTP_TOKEN"'] : []),
		`-d '{"jsonrpc":"2.0","id":1,"method":"tools/call",\n      "params":{"name":"agent_tools_help"}}'`,
	].join(" \\\n      ");
	const servers = { mcpServers: { "agent-tools": { url, ...header } } };
	const auth = withToken
		? "\n      auth: {\n        getToken: async () => ({ token: process.env.AGENT_TOOLS_HTTP_TOKEN! }),\n      },"
		: "";
	return `
Connect a client:

  Try it from another terminal:${withToken ? "\n    export AGENT_TOOLS_HTTP_TOKEN='<token>'" : ""}
    ${curl}
${url === listens ? "" : fromElsewhere(listens, allowedHosts)}
  Pi, in its own process (needs no server):
    pi install npm:agent-tools-runtime-pi-extension

  eve, as agent/connections/agent-tools.ts:
    import { defineMcpClientConnection } from "eve/connections";
    export default defineMcpClientConnection({
      url: "${url}/${prefixes[0] ?? "<prefix>"}",
      description: "What its tools are for, in words that a user would say.",${auth}
      toolCall: { providedArguments: { confirm: true } },
      approval: ({ toolAnnotations }) =>
        toolAnnotations?.readOnlyHint === true
          ? "not-applicable"
          : "user-approval",
    });

  Others, in their mcp.json:
    ${JSON.stringify(servers)}

Ctrl-C ends.`;
}

/**
 * Where the page is. The link holds its token, and so is for the person who started the server.
 *
 * @param {string} link
 */
export function pageGuide(link) {
	return `\nOpen in your browser (the link is a key: keep it to yourself):\n    ${fromHere(link)}`;
}

/**
 * A server that listens on every address is asked under one of them: no client can send a request to `0.0.0.0` itself.
 *
 * @param {string} url
 */
function fromHere(url) {
	return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/**
 * @param {string} listens
 * @param {string[]} allowedHosts
 */
function fromElsewhere(listens, allowedHosts) {
	const { port } = new URL(listens);
	/** @param {string} host `name` or `name:port` */
	const urlOf = (host) => `    http://${/:\d+$/.test(host) ? host : `${host}:${port}`}/mcp`;
	if (allowedHosts.length > 0) return `\n  From other machines:\n${allowedHosts.map(urlOf).join("\n")}\n`;
	return `
  From other machines only names and addresses are answered that are allowed.
  For http://NAME:${port}/mcp start it with
    --allowed-host NAME
`;
}
