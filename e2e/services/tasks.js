// A server of the tasks API that plugins/agent-tools-plugin-tasks/README.md describes, strict about what it takes.

import { Refusal, startJsonService } from "./json-service.js";

/** @typedef {{id: string, title: string, done: boolean}} Task */

export const KEY = "tasks-key-canary";
const PAGE = 2;

/**
 * @param {import("node:test").TestContext} t
 * @param {{tasks?: Task[], behaviour?: import("./json-service.js").Behaviour}} [options]
 */
export async function startTasks(t, { tasks = [], behaviour } = {}) {
	const service = await startJsonService(t, (asked) => answer(tasks, asked), behaviour);
	return { ...service, tasks };
}

/**
 * @param {Task[]} tasks
 * @param {import("./json-service.js").Received} asked
 * @returns {import("./json-service.js").Answer}
 */
function answer(tasks, { method, path, query, headers, body }) {
	if (headers["x-api-key"] !== KEY) throw new Refusal(401, { error: "invalid API key" });
	if ((body !== undefined) !== ["POST", "PATCH"].includes(method)) throw new Refusal(400, { error: "unexpected body" });
	if (body && headers["content-type"] !== "application/json") throw new Refusal(415, { error: "JSON, please" });
	const [, root, given, ...more] = path.split("/");
	if (root !== "tasks" || more.length > 0) throw new Refusal(404, { error: "no such route" });
	if (given === undefined) {
		if (method === "GET") return { body: page(tasks, query) };
		if (method === "POST") return { status: 201, body: create(tasks, body) };
		throw new Refusal(405, { error: "method not allowed" });
	}
	const task = tasks.find(({ id }) => id === decodeURIComponent(given));
	if (!task) throw new Refusal(404, { error: "task not found" });
	if (method === "GET") return { body: task };
	if (method === "PATCH") return { body: Object.assign(task, checked(body)) };
	if (method !== "DELETE") throw new Refusal(405, { error: "method not allowed" });
	tasks.splice(tasks.indexOf(task), 1);
	return { status: 204 };
}

/**
 * @param {Task[]} tasks
 * @param {Record<string, string>} query
 */
function page(tasks, { q = "", cursor = "0", ...unknown }) {
	if (Object.keys(unknown).length > 0) throw new Refusal(400, { error: "unknown parameter" });
	const found = tasks.filter(({ title }) => title.toLowerCase().includes(q.toLowerCase()));
	const end = Number(cursor) + PAGE;
	return { tasks: found.slice(Number(cursor), end), ...(end < found.length && { nextCursor: String(end) }) };
}

/**
 * @param {Task[]} tasks
 * @param {any} body
 */
function create(tasks, body) {
	const { title, done = false } = checked(body);
	if (title === undefined) throw new Refusal(422, { error: "title is required" });
	if (tasks.some((task) => task.title === title)) throw new Refusal(409, { error: "there is such a task already" });
	const task = { id: String(tasks.length + 1), title, done };
	tasks.push(task);
	return task;
}

/** @param {any} body */
function checked({ title, done, ...unknown }) {
	const kinds = [typeof title, typeof done];
	const known = ["string", "boolean"].every((kind, index) => [kind, "undefined"].includes(kinds[index]));
	if (!known || Object.keys(unknown).length > 0) throw new Refusal(422, { error: "unexpected field" });
	return { ...(title !== undefined && { title }), ...(done !== undefined && { done }) };
}
