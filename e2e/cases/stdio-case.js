import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { liveProcesses } from "../processes/process-watch.js";
import { DOORS } from "./doors.js";
import { makePlugin } from "./plugin.js";
import { inputOf } from "./run-case.js";

const LIMIT_MS = 120_000;

/**
 * What the client of a case does, one after the other through one door.
 *
 * @type {Record<string, (door: import("./doors.js").Door, operation: any) => unknown>}
 */
const OPERATIONS = {
	discover: (door, { query }) => discover(door, query),
	call: (door, { toolName, arguments: args, confirm }) => call(door, toolName, args, confirm),
	wait_ms: (_, { ms }) => sleep(ms),
	facade_tools_list: (door) => door.tools(),
	count_children: async (door, { value }) => assert.equal(serversOf(door).length, value),
};

/**
 * A case of the kind `stdio_server`, through each door: the fake server does what the case says, the client too, and
 * `check` gets what came back for each operation.
 *
 * @param {string} id
 * @param {(seen: {t: import("node:test").TestContext, door: import("./doors.js").Door, answers: any[], input: any}) => unknown} check
 * @param {{manifest?: Record<string, unknown>, trust?: import("./plugin.js").Trust, scenario?: Partial<import("./plugin.js").Scenario>,
 * client?: any[], name?: string, doors?: string[]}} [options] in place of what the case says
 */
export function stdioCase(
	id,
	check,
	{ manifest, scenario, trust, client, name = "", doors = Object.keys(DOORS) } = {},
) {
	const input = inputOf(id);
	for (const doorName of doors) {
		test(`${id} ${name}${name && ", "}${doorName}`, { timeout: LIMIT_MS }, async (t) => {
			const plugin = makePlugin(t, {
				scenario: { tools: input.tools, steps: input.steps, ...scenario },
				manifest: { ...input.plugin, ...manifest },
				trust,
			});
			const door = await DOORS[doorName](t, plugin);
			const answers = [];
			for (const operation of client ?? input.client) answers.push(await OPERATIONS[operation.op](door, operation));
			await check({ t, door, answers, input });
		});
	}
}

/**
 * @param {import("./doors.js").Door} door
 * @param {string} toolName
 * @param {unknown} [args]
 * @param {boolean} [confirm]
 */
export function call(door, toolName, args = {}, confirm = undefined) {
	return door.call("agent_tools_x_call", { toolName, arguments: args, ...(confirm === undefined ? {} : { confirm }) });
}

/** @param {import("./doors.js").Door} door @param {string} [query] */
export function discover(door, query) {
	return door.call("agent_tools_x_discover", query ? { query } : {});
}

/** The text of a tool's result. @param {import("./doors.js").Answer} answer */
export function resultOf(answer) {
	assert.equal(answer.isError, false, answer.text);
	const payload = JSON.parse(answer.content[0].text);
	return payload.result?.raw ?? payload.result ?? payload;
}

/** The plugin's servers that the process of a door runs now. @param {import("./doors.js").Door} door */
export function serversOf({ pid, plugin }) {
	const own = path.dirname(plugin.folder);
	return liveProcesses().filter(({ parent, command }) => parent === pid && command.includes(own));
}
