import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KEY, startTasks } from "../services/tasks.js";
import { openBundled } from "./bundled.js";
import { testRefusals } from "./refusals.js";

const TASKS = ["Write", "Review", "Rewrite"].map((title, index) => ({
	id: String(index + 1),
	title,
	done: index === 0,
}));

/** @param {import("node:test").TestContext} t */
async function tasks(t, service = {}, options = {}, environment = {}) {
	const server = await startTasks(t, { tasks: structuredClone(TASKS), ...service });
	const own = { TASKS_API_URL: server.url, TASKS_API_KEY: KEY, ...environment };
	return { server, ...(await openBundled(t, "tasks", own, options)) };
}

describe("tasks", { timeout: 60_000 }, () => {
	test("lists all pages, searches and reads, unasked", async (t) => {
		const { callUnasked, runtime } = await tasks(t);
		const first = await callUnasked("list_tasks");
		assert.deepEqual(first, { tasks: TASKS.slice(0, 2), nextCursor: "2" });
		assert.deepEqual(await callUnasked("list_tasks", { cursor: first.nextCursor }), { tasks: TASKS.slice(2) });
		const told = await runtime.callTool("agent_tools_tasks_call", { toolName: "list_tasks" });
		assert.match(told.content[0].text, /there is more: .*\\"cursor\\":\\"2\\"/);
		assert.deepEqual((await callUnasked("list_tasks", { q: "rewr" })).tasks, [TASKS[2]]);
		assert.deepEqual(await callUnasked("get_task", { id: "2" }), TASKS[1]);
		assert.deepEqual(await callUnasked("get_task", { id: 2 }), TASKS[1]);
	});

	test("an empty list is one", async (t) => {
		const { callUnasked } = await tasks(t, { tasks: [] });
		assert.deepEqual(await callUnasked("list_tasks"), { tasks: [] });
	});

	const CHANGES = /** @type {const} */ ([
		["create_task", { title: "Ship" }],
		["update_task", { id: "2", done: true }],
		["delete_task", { id: "1" }],
	]);

	test("changes nothing without consent, and destroys nothing unasked", async (t) => {
		const { call, callUnasked, server } = await tasks(t);
		for (const [tool, args] of CHANGES) assert.equal((await callUnasked(tool, args)).code, "CONFIRM_REQUIRED", tool);
		assert.equal((await call(...CHANGES[2])).code, "POLICY_DENIED");
		assert.deepEqual(server.received, []);
	});

	test("creates, updates and deletes", async (t) => {
		const { call, server } = await tasks(t, {}, { policy: { groups: { destructive: "allow" } } });
		assert.deepEqual(await call(...CHANGES[0]), { id: "4", title: "Ship", done: false });
		assert.deepEqual(await call(...CHANGES[1]), { id: "2", title: "Review", done: true });
		assert.equal((await call(...CHANGES[2])).status, 204);
		assert.deepEqual(
			server.tasks.map(({ title, done }) => [title, done]),
			[
				["Review", true],
				["Rewrite", false],
				["Ship", false],
			],
		);
	});

	test("the skill creates a task and reads it back", async (t) => {
		const { skill, skillUnasked, server } = await tasks(t);
		const draft = { title: "Ship", done: true };
		assert.equal((await skillUnasked("insert-and-verify-task", draft)).code, "CONFIRM_REQUIRED");
		assert.deepEqual(await skill("insert-and-verify-task", draft), { confirmed: true, task: { id: "4", ...draft } });
		assert.deepEqual(server.calls(), ["POST /tasks", "GET /tasks/4"]);
		const again = await skill("insert-and-verify-task", draft);
		assert.equal(again.stage, "created");
		assert.match(JSON.stringify(again), /409.*there is such a task already/);
	});

	test("the skill says what was stored otherwise", async (t) => {
		const { skill, server } = await tasks(t, {
			behaviour: ({ method }) => {
				if (method === "GET") server.tasks.at(-1).title = "ship";
			},
		});
		const answer = await skill("insert-and-verify-task", { title: "Ship" });
		assert.deepEqual(answer, { confirmed: false, task: { id: "4", title: "ship", done: false } });
	});

	test("no argument leads elsewhere", async (t) => {
		const { call, server } = await tasks(t);
		await call("get_task", { id: "2/../../admin?x=#y" });
		assert.deepEqual(server.calls(), ["GET /tasks/2%2F..%2F..%2Fadmin%3Fx%3D%23y"]);
		for (const args of [{ id: ".." }, { id: "" }, { id: "2", url: "http://elsewhere" }]) {
			assert.equal((await call("get_task", args)).code, "ARG_VALIDATION_FAILED");
		}
		assert.equal(server.received.length, 1);
	});

	test("a slash at the end of the address, and a path in it, are fine", async (t) => {
		const { call } = await tasks(t);
		const { TASKS_API_URL: url } = process.env;
		process.env.TASKS_API_URL = `${url}//`;
		assert.equal((await call("list_tasks")).tasks.length, 2);
	});

	for (const lacks of ["TASKS_API_URL", "TASKS_API_KEY"]) {
		test(`without ${lacks} one sentence says so, and nothing is sent`, async (t) => {
			const { call, server } = await tasks(t, {}, {}, { [lacks]: undefined });
			const failure = await call("list_tasks");
			assert.equal(failure.code, "CONFIG_INVALID");
			assert.match(failure.error, new RegExp(`set ${lacks} .*from whoever runs the service`));
			assert.deepEqual(server.received, []);
		});
	}

	testRefusals({
		open: tasks,
		reads: ["list_tasks"],
		changes: ["create_task", { title: "Ship" }],
		variable: /TASKS_API_KEY/,
	});

	test("is found by what people ask for", async (t) => {
		const { discover } = await tasks(t);
		assert.match(await discover("mark a to-do as done"), /update_task/);
		assert.match(await discover("add a task and check it"), /insert-and-verify-task/);
	});
});
