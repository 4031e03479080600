import assert from "node:assert/strict";
import { assertForwarded, assertShows } from "../runners.js";
import { assertRan, notes } from "./arguments.js";

const CALL = "agent_tools_x_call";

/**
 * What the case about arguments in themselves says in words.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C003: async ({ input, open, answers }) => {
		assertRan(answers[0]);
		assertShows(notes(answers[0]), "nested");

		const own = {
			name: "own",
			description: "test tool",
			inputSchema: { type: "object", properties: { arguments: { type: "object" } } },
		};
		const skill = {
			description: "Gets a repository",
			inputSchema: { type: "object", properties: { repo: { type: "string" } }, required: ["repo"] },
			readOnly: true,
			steps: [{ id: "got", call: "get_repo", arguments: { repo: "{{args.repo}}" } }],
			result: "{{got}}",
		};
		const ownSkill = {
			...skill,
			inputSchema: { type: "object", properties: { arguments: { type: "object" } } },
			steps: [{ id: "got", call: "get_repo", arguments: { repo: "{{args.arguments.repo}}" } }],
		};
		const door = await open({
			scenario: { tools: [...input.upstream_tools, own] },
			skills: { fetch: skill, "fetch-own": ownSkill },
		});
		const nested = { arguments: { repo: "a/b" } };
		const untouched = await door.call(CALL, { toolName: "own", arguments: nested });
		assertRan(untouched);
		assert.equal(notes(untouched), "");
		const ran = await door.call("agent_tools_x_run_skill", { skill: "fetch", arguments: nested });
		assertRan(ran);
		assertShows(notes(ran), "nested");
		assertRan(await door.call("agent_tools_x_run_skill", { skill: "fetch-own", arguments: nested }));
		assertForwarded(door, [nested, { repo: "a/b" }, { repo: "a/b" }]);
	},
};
