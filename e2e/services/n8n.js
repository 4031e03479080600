// A server that speaks the public REST API of n8n 2 (/api/v1), as strict as n8n about paths, queries, bodies and keys.

import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "../harness/listening.js";
import { credentialRoutes } from "./n8n/credentials.js";
import { dataTableRoutes } from "./n8n/data-tables.js";
import { executionRoutes } from "./n8n/executions.js";
import { Refusal } from "./n8n/refusal.js";
import { workflowRoutes } from "./n8n/workflows.js";

/**
 * @typedef {{method: string, path: string, query: Record<string, string>, body: any, key?: string}} Received
 * @typedef {(request: Received, response: import("node:http").ServerResponse) => unknown} Behaviour
 *
 * @typedef {object} Route
 * @property {string[]} [query] the parameters that it knows
 * @property {Record<string, string> | "list"} [body] its fields and their types, required ones with `*`
 * @property {(parts: {ids: string[], query: Record<string, string>, body: any}) => unknown} run
 *
 * @typedef {Record<string, Route>} Routes by `METHOD /path`, where `*` is an id
 *
 * @typedef {object} State
 * @property {any[]} [workflows]
 * @property {any[]} [executions] the newest first
 * @property {any[]} [credentials]
 * @property {any[]} [tables]
 * @property {object | []} [audit] what n8n's own audit says
 * @property {boolean} [old] a version that does not list credentials, and deletes what is active
 * @property {number} [unpublishing] how often deleting is refused after unpublishing
 */

export const KEY = "n8n_api_canary";

/**
 * @param {import("node:test").TestContext} t
 * @param {State & {path?: string, behaviour?: Behaviour}} [options]
 *   `path`: what the instance stands under. `behaviour`: what happens instead of an answer, if it returns something.
 */
export async function startN8n(t, { path: root = "", behaviour, ...given } = {}) {
	const state = { workflows: [], executions: [], credentials: [], tables: [], audit: [], ...given };
	/** @type {Routes} */
	const routes = {
		...workflowRoutes(state),
		...executionRoutes(state),
		...credentialRoutes(state),
		...dataTableRoutes(state),
		"POST /audit": { body: { additionalOptions: "object" }, run: () => state.audit },
	};
	/** @type {Received[]} */
	const received = [];
	const server = createServer(async (request, response) => {
		const { method = "", headers } = request;
		const url = new URL(request.url ?? "", "http://n8n");
		const sent = await text(request);
		const key = /** @type {string | undefined} */ (headers["x-n8n-api-key"]);
		const asked = {
			method,
			path: url.pathname.slice(root.length),
			query: Object.fromEntries(url.searchParams),
			body: sent === "" ? undefined : JSON.parse(sent),
			key,
		};
		received.push(asked);
		if (behaviour?.(asked, response)) return;
		const [status, answer] = answered(() => {
			if (!url.pathname.startsWith(`${root}/`)) throw new Refusal(404, "not found");
			return asked.path.startsWith("/webhook/") ? webhook(state, asked) : api(routes, asked, headers["content-type"]);
		});
		response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
		response.end(status === 204 ? undefined : JSON.stringify(answer));
	});
	const port = await listening(t, server);
	const calls = () => received.map(({ method, path }) => `${method} ${path}`);
	return { url: `http://127.0.0.1:${port}${root}`, received, calls, state };
}

/**
 * @param {() => [number, unknown]} run
 * @returns {[number, unknown]}
 */
function answered(run) {
	try {
		return run();
	} catch (error) {
		if (error instanceof Refusal) return [error.status, { message: error.message }];
		throw error;
	}
}

/**
 * @param {Routes} routes
 * @param {Received} asked
 * @param {string} [contentType]
 * @returns {[number, unknown]}
 */
function api(routes, { method, path, query, body, key }, contentType) {
	if (!path.startsWith("/api/v1/")) throw new Refusal(404, "not found");
	const known = Object.keys(routes).map((pattern) => [pattern, idsOf(pattern, path.slice("/api/v1".length))]);
	const here = known.filter(([, ids]) => ids !== undefined);
	if (here.length === 0) throw new Refusal(404, "not found");
	// A fixed name goes before an id.
	const [found] = here
		.filter(([pattern]) => pattern.startsWith(`${method} `))
		.sort(([a], [b]) => (a.length < b.length ? 1 : -1));
	if (!found) throw new Refusal(405, `${method} method not allowed`);
	if (key === undefined) throw new Refusal(401, "'X-N8N-API-KEY' header required");
	if (key !== KEY) throw new Refusal(401, "unauthorized");
	const route = routes[/** @type {string} */ (found[0])];
	for (const name of Object.keys(query)) {
		if (!route.query?.includes(name)) throw new Refusal(400, `Unknown query parameter '${name}'`);
	}
	if (body !== undefined && contentType?.split(";")[0] !== "application/json") {
		throw new Refusal(415, `unsupported media type ${contentType}`);
	}
	checkBody(route.body, body);
	const answer = route.run({
		ids: /** @type {string[]} */ (found[1]).map(decodeURIComponent),
		query,
		body: body ?? {},
	});
	return Array.isArray(answer) && answer.status
		? [answer.status, answer[0]]
		: [answer === undefined ? 204 : 200, answer];
}

/**
 * @param {string} pattern
 * @param {string} path
 * @returns {string[] | undefined}
 */
function idsOf(pattern, path) {
	const wanted = pattern.split(" ")[1].split("/");
	const given = path.split("/");
	if (wanted.length !== given.length) return undefined;
	if (!wanted.every((part, index) => part === "*" || part === given[index])) return undefined;
	return given.filter((_, index) => wanted[index] === "*");
}

/**
 * @param {Route["body"]} fields
 * @param {any} body
 */
function checkBody(fields, body) {
	if (fields === undefined) return;
	if (fields === "list") {
		if (!Array.isArray(body)) throw new Refusal(400, "request/body must be array");
		return;
	}
	for (const [field, type] of Object.entries(fields)) {
		const value = body?.[field];
		if (value === undefined && type.endsWith("*")) {
			throw new Refusal(400, `request/body must have required property '${field}'`);
		}
		const kind = Array.isArray(value) ? "array" : typeof value;
		if (value !== undefined && !type.startsWith(kind)) throw new Refusal(400, `request/body/${field} must be ${type}`);
	}
	for (const field of Object.keys(body ?? {})) {
		if (!(field in fields)) throw new Refusal(400, "request/body must NOT have additional properties");
	}
}

/**
 * @param {Required<State>} state
 * @param {Received} asked
 * @returns {[number, unknown]}
 */
function webhook({ workflows, executions }, { method, path, body, key }) {
	if (key !== undefined) throw new Refusal(400, "the key came along");
	const wanted = decodeURIComponent(path.slice("/webhook/".length));
	const isMeant = ({ type, parameters }) =>
		type === "n8n-nodes-base.webhook" && parameters.path === wanted && (parameters.httpMethod ?? "GET") === method;
	const workflow = workflows.find(({ active, nodes }) => active && nodes.some(isMeant));
	if (!workflow) throw new Refusal(404, `The requested webhook "${method} ${wanted}" is not registered.`);
	const id = String(1 + Math.max(0, ...executions.map((execution) => Number(execution.id))));
	// It is found running first, and ended when somebody looks again.
	executions.unshift({
		id,
		workflowId: workflow.id,
		status: "running",
		endsAs: "success",
		mode: "webhook",
		startedAt: "2026-12-02T10:00:00.000Z",
	});
	return [200, { message: "Workflow was started", got: body }];
}
