import assert from "node:assert/strict";
import { test } from "node:test";
import { protectedServer } from "../oauth/protected-server.js";
import { openBundled } from "./bundled.js";

const GOOD = "mcp-canary-token";

test("n8n's MCP server gets the token, and what is missing or wrong is named", { timeout: 60_000 }, async (t) => {
	const server = await protectedServer(t, { isGood: (token) => token === GOOD });
	const open = (environment) =>
		openBundled(t, "n8n-mcp", { N8N_MCP_URL: server.url, N8N_MCP_TOKEN: GOOD, ...environment });

	const { prefix, callUnasked } = await open({});
	assert.equal(prefix, "n8nmcp");
	assert.ok(!(await callUnasked("whoami")).isError);
	assert.ok(server.received.every(({ token }) => token === GOOD));
	assert.equal(server.of("tools/call").length, 1);

	const wrong = await (await open({ N8N_MCP_TOKEN: "stale-canary-token" })).callUnasked("whoami");
	assert.equal(wrong.code, "UPSTREAM_AUTH");
	assert.match(wrong.hint, /token in the plugin.s headers/);
	for (const missing of ["N8N_MCP_URL", "N8N_MCP_TOKEN"]) {
		const before = server.received.length;
		assert.match(
			JSON.stringify(await (await open({ [missing]: undefined })).callUnasked("whoami")),
			new RegExp(missing),
		);
		assert.equal(server.received.length, before);
	}
});
