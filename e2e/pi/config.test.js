// A project's agent-tools.json: Pi has its services without anything else being installed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PiRun } from "./pi-run.js";

const SERVER = fileURLToPath(new URL("../cases/reporting-server.mjs", import.meta.url));

test("the services that a project's agent-tools.json names are tools of Pi", async (t) => {
	const { run, exit } = await PiRun.once(t, {
		files: {
			"agent-tools.json": { mcpServers: { project: { command: "node", args: [SERVER, "from here"] } } },
		},
		turns: [
			{ tool_calls: [{ name: "agent_tools_project_discover", arguments: {} }] },
			// What a project's server says of itself frees nothing from consent.
			{ tool_calls: [{ name: "agent_tools_project_call", arguments: { toolName: "started", confirm: true } }] },
			{ text: "done" },
		],
	});
	assert.equal(exit.code, 0, run.child.output);
	const [found] = run.eventsOf("tool_execution_end", "agent_tools_project_discover");
	assert.match(JSON.stringify(found.result), /How this server was started/);
	const [called] = run.eventsOf("tool_execution_end", "agent_tools_project_call");
	assert.equal(called.isError, false, run.child.output);
	assert.match(JSON.stringify(called.result), /from here/);
	assert.deepEqual(await run.child.watch.survivors(), []);
});
