// Twenty tasks over 527 tools of 70 servers: one search in a model's words brings the right tool, and its call succeeds. One
// Pi for each view, and a session for each task.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { tasks, tasksInOtherWords } from "../fixtures/tasks.js";
import { answerTo, consentFor, prefixOf, taskPlugins } from "../harness/task-plugins.js";
import { Scripts } from "../scripted-model/script.js";
import { PiRun } from "./pi-run.js";

/**
 * @typedef {import("../fixtures/tasks.js").Task} Task
 * @typedef {import("../scripted-model/script.js").Turn} Turn
 *
 * @typedef {object} View
 * @property {Task[]} asked
 * @property {(task: Task) => Turn[]} turns a search, the call of what it found, and an end
 */

/** @param {string} name @param {object} args */
const use = (name, args) => ({ tool_calls: [{ name, arguments: args }] });
/** @param {Task} task */
const done = (task) => ({
	text: "done",
	expect: { last_tool_result: answerTo(task), no_tool_result: '"isError":true' },
});

/** @type {Record<string, View>} */
const VIEWS = {
	facade: {
		asked: [...tasks, ...tasksInOtherWords],
		turns(task) {
			const { query, tool, args = {} } = task;
			const own = `agent_tools_${prefixOf(task)}`;
			const call = use(`${own}_call`, { toolName: tool, arguments: args, ...consentFor(task) });
			return [
				use(`${own}_discover`, { query }),
				{ ...call, expect: { last_tool_result: `"toolName":"${tool}"` } },
				done(task),
			];
		},
	},
	unified: {
		asked: [...tasks, ...tasksInOtherWords],
		turns(task) {
			const { query, tool, args = {} } = task;
			const plugin = prefixOf(task);
			const call = use("agent_tools_call", { plugin, toolName: tool, arguments: args, ...consentFor(task) });
			return [
				use("agent_tools_discover", { query }),
				{ ...call, expect: { last_tool_result: `"plugin":"${plugin}","toolName":"${tool}"` } },
				done(task),
			];
		},
	},
	flat: {
		asked: tasks,
		turns(task) {
			const { query, tool, args = {} } = task;
			const name = `${prefixOf(task)}__${tool}`;
			const call = use(name, { ...args, ...consentFor(task) });
			return [
				{ ...use("tool_search", { query }), expect: { absent_tools: [name] } },
				{ ...call, expect: { tools: [name], last_tool_result: `- ${name}:` } },
				done(task),
			];
		},
	},
};

describe("twenty tasks in Pi", () => {
	/** @type {Record<string, string>} */
	let plugins;
	before(async () => {
		plugins = await taskPlugins();
	});

	for (const [view, { asked, turns }] of Object.entries(VIEWS)) {
		test(`${view}: ${asked.length} tasks, each with one search and one call`, { timeout: 240_000 }, async (t) => {
			assert.ok(asked.length >= 20);
			const scripts = new Scripts((name) => ({ turns: turns(/** @type {Task} */ (asked[Number(name)])) }));
			const run = await PiRun.start(t, { scripts, mode: "rpc", env: { ...plugins, AGENT_TOOLS_VIEW: view } });
			run.answerAll("Yes, this once");
			for (const [number, task] of asked.entries()) {
				await t.test(task.query, async () => {
					const before = run.model.requests.length;
					await prompt(run, `script:${number}`);
					const requests = run.model.requests.slice(before);
					const complaints = requests.flatMap(({ failed_expectations }) => failed_expectations);
					assert.deepEqual(complaints, [], requests.map(({ tool_result }) => tool_result).join("\n"));
					assert.equal(requests.length, 3);
				});
				await newSession(run);
			}
			run.child.endInput();
			assert.equal((await run.child.exitWithin(10_000)).code, 0);
			assert.deepEqual(await run.child.watch.survivors(), []);
		});
	}
});

/** @param {PiRun} run @param {string} message */
async function prompt(run, message) {
	const before = run.eventsOf("agent_settled").length;
	run.send({ type: "prompt", message });
	await run.child.until("the end of the task", () => run.eventsOf("agent_settled").length > before);
}

/** What a task has loaded is not there in the next. @param {PiRun} run */
async function newSession(run) {
	const answered = () => run.eventsOf("response").filter(({ command }) => command === "new_session").length;
	const before = answered();
	run.send({ type: "new_session" });
	await run.child.until("a new session", () => answered() > before);
}
