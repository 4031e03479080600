// The client that the protocol's conformance suite drives: it uses a server's tools, and logs in when that is refused.
//
//   conformance client --command "node conformance-client.js" --scenario auth/…
//
// The suite adds the server's URL, and says in two variables which scenario it is and what the client knows already.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { visit } from "./plugin.js";

const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-conformance-client-"));
process.env.AGENT_TOOLS_DATA_DIR = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const { Runtime } = await import("../../bindings-node/index.js");

const url = process.argv.at(-1) ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT || "{}");
const client = { clientId: context.client_id, clientSecret: context.client_secret };
const auth = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith("auth/client-credentials")
	? { clientCredentials: client }
	: { oauth: { ...client, clientMetadataUrl: "https://conformance-test.local/client-metadata.json" } };

const plugin = { prefix: "x", mcp: { url, auth }, requireConfirm: false };
const runtime = await Runtime.open({ pluginDirs: [], plugins: [/** @type {any} */ (plugin)] });
try {
	// A server may ask for a login, or for another one, at any time.
	for (let logins = 0; ; logins++) {
		const refused = await useTools();
		if (!refused) break;
		if (refused.code !== "UPSTREAM_AUTH" || logins === 3) throw new Error(JSON.stringify(refused));
		await runtime.login("x", (address) => void visit(address));
	}
} catch (error) {
	console.error(error);
	process.exitCode = 1;
} finally {
	await runtime.close();
}

/** Calls every tool once. The failure, where there is one. */
async function useTools() {
	try {
		for (const { name } of await runtime.tools({ kind: "flat", plugin: "x" })) {
			if (name === "read_more") continue;
			const { content, isError } = await runtime.callTool(name, {}, { view: { kind: "flat", plugin: "x" } });
			if (isError) return JSON.parse(content[0].text);
		}
	} catch (error) {
		return error;
	}
}
