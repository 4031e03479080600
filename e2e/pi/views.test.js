// The views that show all plugins together, as the core makes them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PiRun } from "./pi-run.js";

const SHARED = ["agent_tools_discover", "agent_tools_call", "agent_tools_run_skill"];

for (const view of ["unified", "auto"]) {
	test(`${view}: three tools find, call and run whatever the plugins have, and stay the same`, async (t) => {
		const discover = { tool_calls: [{ name: "agent_tools_discover", arguments: { query: "list the open issues" } }] };
		const call = {
			tool_calls: [{ name: "agent_tools_call", arguments: { plugin: "demo", toolName: "list_issues", arguments: {} } }],
		};
		const skill = {
			tool_calls: [{ name: "agent_tools_run_skill", arguments: { plugin: "demo", skill: "issue-summary" } }],
		};
		const { run, exit } = await PiRun.once(t, {
			env: { AGENT_TOOLS_VIEW: view },
			turns: [
				{ ...discover, expect: { tools: SHARED, absent_tools: ["agent_tools_demo_call", "tool_search"] } },
				{ ...call, expect: { last_tool_result: '"plugin":"demo","toolName":"list_issues"' } },
				{ ...skill, expect: { last_tool_result: "Export notes" } },
				{ text: "done", expect: { no_tool_result: '"isError":true' } },
			],
		});
		assert.equal(exit.code, 0, run.child.output);
		assert.deepEqual(run.model.complaints, []);
		const lists = run.model.requests.map(({ body }) => JSON.stringify([body.tools, body.messages[0]]));
		assert.equal(new Set(lists).size, 1);
		assert.match(lists[0] ?? "", /agent_tools_\*: find a tool or skill of any service/);
	});
}
