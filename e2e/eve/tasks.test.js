// Twenty tasks over 527 tools of 70 servers in the real eve: one search brings the right tool, and its call succeeds, after a
// person's approval where the tool may change something.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { tasks, tasksInOtherWords } from "../fixtures/tasks.js";
import { answerTo, consentFor, prefixOf, taskPlugins } from "../harness/task-plugins.js";
import { EveApp } from "./eve-app.js";
import { startRuntimeServer } from "./runtime-server.js";

/**
 * @typedef {import("../fixtures/tasks.js").Task} Task
 * @typedef {import("../scripted-model/script.js").Turn} Turn
 *
 * @typedef {object} View
 * @property {string} path
 * @property {string} connection the kit's file
 * @property {Task[]} asked
 * @property {(task: Task) => Turn} search
 * @property {(task: Task) => string} found what its reply holds
 * @property {(task: Task) => Turn} call
 */

/** @param {string} name @param {object} input */
const use = (name, input) => ({ tool_calls: [{ name: "eve__tool", arguments: { name, input } }] });
const report = { text: "The tool said {{last_tool_result}}" };
/** @param {Task} task */
const changes = (task) => "confirm" in consentFor(task);

/** @type {Record<string, View>} */
const VIEWS = {
	flat: {
		path: "/mcp?view=flat",
		connection: "agent-tools",
		asked: tasks,
		search: ({ query }) => ({ tool_calls: [{ name: "eve__search", arguments: { query } }] }),
		found: (task) => `"tool":"agent-tools__${prefixOf(task)}_${task.tool}"`,
		call: (task) => use(`agent-tools__${prefixOf(task)}_${task.tool}`, task.args ?? {}),
	},
	facade: {
		path: "/mcp?view=facade",
		connection: "agent-tools-all",
		asked: [...tasks, ...tasksInOtherWords],
		search: (task) => use(`agent-tools-all__agent_tools_${prefixOf(task)}_discover`, { query: task.query }),
		found: ({ tool }) => `"toolName":"${tool}"`,
		call: (task) =>
			use(`agent-tools-all__agent_tools_${prefixOf(task)}_call`, {
				toolName: task.tool,
				arguments: task.args ?? {},
				...consentFor(task),
			}),
	},
	unified: {
		path: "/mcp?view=unified",
		connection: "agent-tools-all",
		asked: [...tasks, ...tasksInOtherWords],
		search: ({ query }) => use("agent-tools-all__agent_tools_discover", { query }),
		found: (task) => `"plugin":"${prefixOf(task)}","toolName":"${task.tool}"`,
		call: (task) =>
			use("agent-tools-all__agent_tools_call", {
				plugin: prefixOf(task),
				toolName: task.tool,
				arguments: task.args ?? {},
				...consentFor(task),
			}),
	},
};

describe("twenty tasks in eve", () => {
	/** @type {Record<string, string>} */
	let plugins;
	before(async () => {
		plugins = await taskPlugins();
	});

	for (const [view, { path, connection, asked, search, found, call }] of Object.entries(VIEWS)) {
		test(`${view}: ${asked.length} tasks, each with one search and one call`, { timeout: 300_000 }, async (t) => {
			assert.ok(asked.length >= 20);
			const app = await EveApp.start(t, { path, connection });
			app.proxy.target = await startRuntimeServer(t, { env: plugins });
			for (const task of asked) {
				await t.test(task.query, async () => {
					const { message, asked: questions, requests } = await app.chat([search(task), call(task), report]);
					const reply = requests[1]?.tool_result ?? "";
					assert.ok(reply.includes(found(task)), reply);
					assert.equal(questions, changes(task) ? 1 : 0, "a person is asked about changes, and about nothing else");
					assert.ok(message.includes(answerTo(task)), message);
				});
			}
		});
	}
});
