import { assertRan } from "./arguments.js";
import { assertTimedOut } from "./results.js";

const CALL = "agent_tools_x_call";

/**
 * The limit of a single tool.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C112: async ({ input, open }) => {
		const tools = [...input.tools, { ...input.tools[0], name: "other" }];
		const manifest = { timeoutMs: 30_000, toolTimeoutsMs: { other: 500 } };
		const door = await open({ scenario: { tools, steps: input.steps }, manifest });
		const call = (toolName) => door.call(CALL, { toolName, arguments: {} });
		const [patient, hasty] = await Promise.all([call("t"), call("other")]);
		assertRan(patient);
		assertTimedOut(hasty, "toolTimeoutsMs", "0.5 s");
	},
};
