import assert from "node:assert/strict";
import { assertForwarded, assertShows } from "../runners.js";
import { assertRan } from "./arguments.js";

const CALL = "agent_tools_x_call";
const DISCOVER = "agent_tools_x_discover";

/**
 * What the cases about input schemas say in words.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C023: async ({ input, open, door, answers: [{ isError, text, found }] }) => {
		assert.equal(isError, false, text);
		const { matches } = found;
		assert.deepEqual(
			matches.map(({ name }) => name),
			["a", "b", "c", "d", "e"],
		);
		assertShows(matches[1].arguments, /url.*text/);
		const given = { anything: [1, { deep: true }] };
		for (const toolName of ["c", "d", "e"]) {
			assertRan(await door.call(CALL, { toolName, arguments: given }));
			assertRan(await door.call(CALL, { toolName, arguments: {} }));
		}
		for (const { name, inputSchema } of await door.tools({ kind: "flat", plugin: "x" })) {
			assert.equal(inputSchema.type, "object", name);
		}
		assertForwarded(door, Array(3).fill([given, {}]).flat());

		// A plugin that offers nothing says so, and one that cannot be listed says why.
		const none = await (await open({ scenario: { tools: [] } })).call(DISCOVER, {});
		assertShows(none.text, "x has no tools");
		const listing = { jsonrpc: "2.0", error: { code: -32603, message: "the list is on fire" } };
		const steps = [{ at: "tools/list", do: [{ fail: listing.error }] }];
		const broken = await (await open({ scenario: { tools: input.tools, steps } })).call(DISCOVER, {});
		assert.equal(broken.isError, true, broken.text);
		assertShows(broken.text, "the list is on fire");
	},

	C025: async ({ door, answers }) => {
		assertShows(answers[2].failure.details.join("\n"), /\/n: .*10.*mode is "?s/);
		const { text } = await door.call(DISCOVER, { query: "t" });
		assertShows(text, /\b10\b/);
	},
};
