// Plugins that were written for the JavaScript runtime before this one load as they are.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { CLI, FIXTURES } from "../harness/paths.js";
import { StdioSession } from "../harness/stdio-session.js";

const FOLDER = path.join(FIXTURES, "earlier");
const LIMIT = { timeout: 120_000 };

/**
 * What each plugin is asked: `find` is searched for and must be the first tool of the answer, `change` needs consent.
 * The answers are those of the services below and of the programs in `bin/`.
 */
const PLUGINS = {
	n8n: {
		find: "search_workflows",
		call: ["search_workflows", {}, { workflows: ["w1"] }],
		skill: ["find-workflows", { namePattern: "daily" }, { workflows: [{ id: "w1", name: "daily report" }] }],
	},
	github: {
		find: "list_issues",
		call: ["get_repository", { owner: "a", repo: "b" }, { full_name: "a/b" }],
		skill: [
			"repo-overview",
			{ owner: "a", repo: "b" },
			{ repository: { full_name: "a/b" }, issues: [{ number: 1, title: "First" }] },
		],
		change: ["create_issue", { owner: "a", repo: "b", title: "New" }, { number: 2, title: "New" }],
		related: "ghcli:repo-overview",
	},
	ghcli: {
		find: "repo_view",
		call: ["issue_list", { owner: "a", repo: "b" }, [{ number: 1, title: "First" }]],
		skill: ["repo-overview", { owner: "a", repo: "b" }, { repository: { nameWithOwner: "a/b", stargazerCount: 7 } }],
		related: "github:repo-overview",
	},
	kite: {
		find: "fetch_page",
		call: ["fetch_page", { url: "http://x" }, { url: "http://x", title: "A page" }],
		skill: ["page-overview", { url: "http://x" }, { page: { url: "http://x", title: "A page" } }],
		change: ["browser_navigate", { url: "http://x" }, { opened: "http://x" }],
	},
	ccdd: {
		find: "measure_complexity",
		call: ["measure_complexity", { code: "if (a) if (b)" }, { complexity: 3 }],
		skill: ["quality-gate-check", { code: "x" }, { passed: true }],
		change: ["run_ephemeral_agent", { code: "x" }, { jobId: "j1" }],
	},
	ollama: {
		find: "list_models",
		call: ["list_models", {}, { models: [{ name: "m" }] }],
		// The skill looks for `confirm` in its own arguments, too.
		skill: ["ocr", { image: "i.png", confirm: true }, { text: "Read i.png" }],
		change: ["generate", { model: "m", prompt: "hi" }, { response: "hi" }],
	},
	pocketbase: {
		find: "list_records",
		call: ["list_records", { collection: "notes" }, { items: [] }],
		skill: [
			"insert-and-verify-record",
			{ collection: "notes", data: { title: "T" } },
			{ confirmed: true, record: { id: "r1", title: "T" } },
		],
		change: ["create_record", { collection: "notes", data: { title: "U" } }, { id: "r2", title: "U" }],
	},
	tasks: {
		find: "list_tasks",
		call: ["list_tasks", {}, [{ id: "0", title: "Zero" }]],
		skill: ["insert-and-verify-task", { title: "T" }, { confirmed: true, task: { id: "1", title: "T" } }],
		change: ["create_task", { title: "U" }, { id: "2", title: "U" }],
	},
};

const SECRETS = {
	N8N_MCP_TOKEN: "n8n-token",
	N8N_API_KEY: "n8n-key",
	GITHUB_TOKEN: "github-token",
	POCKETBASE_EMAIL: "me@example.com",
	POCKETBASE_PASSWORD: "password",
	TASKS_API_KEY: "tasks-key",
};

/** Lists that grow by what is sent to them; `first` is the number of the first. */
const collection = (first, prefix = "") => {
	const items = new Map();
	return {
		get: (id) => items.get(id),
		add: (item) => {
			const id = `${prefix}${first + items.size}`;
			items.set(id, { id, ...item });
			return items.get(id);
		},
	};
};

const [records, tasks] = [collection(1, "r"), collection(1)];

/**
 * The services, all at one address: `METHOD /path` answers with JSON, or with a status where credentials are missing.
 *
 * @type {[RegExp, (request: {headers: any, body: any, found: string[]}) => any][]}
 */
const SERVICES = [
	[
		/^POST \/mcp$/,
		({ headers, body }) => {
			if (headers.authorization !== "Bearer n8n-token") return 401;
			if (body.method !== "initialize" && headers["mcp-session-id"] !== "s1") return 404;
			const tool = { name: "search_workflows", description: "Search workflows", inputSchema: { type: "object" } };
			const results = {
				initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "n8n" } },
				"tools/list": { tools: [tool] },
				"tools/call": { content: [{ type: "text", text: JSON.stringify({ workflows: ["w1"] }) }] },
			};
			return { jsonrpc: "2.0", id: body.id, result: results[body.method] };
		},
	],
	[
		/^GET \/api\/v1\/workflows$/,
		({ headers }) => {
			const data = [
				{ id: "w1", name: "daily report" },
				{ id: "w2", name: "other" },
			];
			return headers["x-n8n-api-key"] === "n8n-key" ? { data } : 401;
		},
	],
	[
		/^GET \/repos\/a\/b$/,
		({ headers }) => (headers.authorization === "Bearer github-token" ? { full_name: "a/b" } : 401),
	],
	[/^GET \/repos\/a\/b\/issues$/, () => [{ number: 1, title: "First" }]],
	[/^POST \/repos\/a\/b\/issues$/, ({ body }) => ({ number: 2, ...body })],
	[/^GET \/api\/tags$/, () => ({ models: [{ name: "m" }] })],
	[/^POST \/api\/generate$/, ({ body }) => ({ response: body.prompt })],
	[
		/^POST \/api\/collections\/users\/auth-with-password$/,
		({ body }) => (body.password === "password" ? { token: "pb-token" } : 400),
	],
	[
		/^GET \/api\/collections\/notes\/records$/,
		({ headers }) => (headers.authorization === "pb-token" ? { items: [] } : 401),
	],
	[/^POST \/api\/collections\/notes\/records$/, ({ body }) => records.add(body)],
	[/^GET \/api\/collections\/notes\/records\/(\w+)$/, ({ found }) => records.get(found[1]) ?? 404],
	[/^GET \/tasks$/, ({ headers }) => (headers["x-api-key"] === "tasks-key" ? [{ id: "0", title: "Zero" }] : 401)],
	[/^POST \/tasks$/, ({ body }) => tasks.add(body)],
	[/^GET \/tasks\/(\w+)$/, ({ found }) => tasks.get(found[1]) ?? 404],
];

async function startServices() {
	const server = http.createServer(async (request, response) => {
		let text = "";
		for await (const chunk of request) text += chunk;
		const line = `${request.method} ${request.url}`;
		const [pattern, answer] = SERVICES.find(([pattern]) => pattern.test(line)) ?? [/^$/, () => 404];
		const found = line.match(pattern) ?? [];
		const value = answer({ headers: request.headers, body: text && JSON.parse(text), found });
		if (typeof value === "number") response.statusCode = value;
		response.setHeader("content-type", "application/json");
		if (request.url === "/mcp") response.setHeader("mcp-session-id", "s1");
		response.end(JSON.stringify(typeof value === "number" ? { error: value } : value));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
	return { server, url: `http://127.0.0.1:${port}` };
}

describe("plugins of the earlier runtime", LIMIT, () => {
	/** @type {http.Server} */
	let server;
	/** @type {StdioSession} */
	let session;
	/** @type {NodeJS.ProcessEnv} */
	let env;
	let folder = "";

	before(async () => {
		const services = await startServices();
		server = services.server;
		const { url } = services;
		// Named there, they go before those of today that this repository has installed under the same prefixes.
		folder = mkdtempSync(path.join(tmpdir(), "earlier-"));
		const config = path.join(folder, "agent-tools.json");
		const names = readdirSync(FOLDER).filter((name) => name.startsWith("agent-tools-plugin-"));
		const plugins = names.map((name) => path.join(FOLDER, name));
		writeFileSync(config, JSON.stringify({ plugins }));
		const bin = (name) => path.join(FOLDER, "bin", name);
		env = {
			PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
			AGENT_TOOLS_CONFIG: config,
			N8N_MCP_URL: `${url}/mcp`,
			N8N_INSTANCE_URL: url,
			GITHUB_API_URL: url,
			GH_CLI_BIN: bin("gh.mjs"),
			KITE_LITE_BIN: bin("kite-lite.mjs"),
			CCDD_GATE_PYTHON: process.execPath,
			CCDD_GATE_SCRIPT: bin("ccdd-gate.mjs"),
			OLLAMA_URL: url,
			POCKETBASE_URL: url,
			TASKS_API_BASE: url,
			...SECRETS,
		};
		session = new StdioSession("legacy", process.execPath, [CLI, "mcp", "--view", "facade"], { env });
		await session.open();
	});

	after(async () => {
		session.child.stdin.end();
		await session.ended;
		server.close();
		rmSync(folder, { recursive: true });
	});

	const ask = async (prefix, verb, args) => {
		const params = { name: `agent_tools_${prefix}_${verb}`, arguments: args };
		const { result, error } = await session.request("tools/call", params);
		assert.ok(result, JSON.stringify(error));
		const [{ text }] = result.content;
		const payload = result._meta?.["agent-tools/discover"] ?? JSON.parse(text);
		return { isError: result.isError ?? false, payload, text };
	};

	test("all of them are listed, with their three tools", async () => {
		const { result } = await session.request("tools/list");
		const names = result.tools.map(({ name }) => name);
		for (const prefix of Object.keys(PLUGINS)) {
			for (const verb of ["discover", "call", "run_skill"]) {
				assert.ok(names.includes(`agent_tools_${prefix}_${verb}`), `${prefix} ${verb}`);
			}
		}
	});

	test("all of them start, and nothing is warned of", async () => {
		const { stdout } = await promisify(execFile)(process.execPath, [CLI, "list", "--json"], { env });
		const { plugins, warnings } = JSON.parse(stdout);
		const others = warnings.filter(
			(/** @type {string} */ warning) => !warning.includes("/node_modules/agent-tools-plugin-"),
		);
		assert.deepEqual(
			others.filter((/** @type {string} */ warning) => !/have the same name: create_issue/.test(warning)),
			[],
		);
		for (const prefix of Object.keys(PLUGINS)) {
			const plugin = plugins.find((known) => known.prefix === prefix);
			assert.equal(plugin?.state, "ready", JSON.stringify(plugin));
			assert.equal(plugin.skills, 1);
		}
	});

	for (const [prefix, { find, call, skill, change, related }] of Object.entries(PLUGINS)) {
		test(`${prefix}: found, called, its skill run`, async () => {
			const overview = await ask(prefix, "discover", {});
			const shown = overview.payload.matches.find(({ kind }) => kind === "skill");
			assert.equal(shown?.name, skill[0]);
			if (related) {
				const [link] = shown.related;
				assert.equal(link.target, related);
				const [other, name] = related.split(":");
				assert.ok(link.call.startsWith(`agent_tools_${other}_run_skill {"skill":"${name}"`), link.call);
			}
			if (prefix === "n8n") assert.equal(overview.payload.context.instance, env.N8N_INSTANCE_URL);
			const found = await ask(prefix, "discover", { query: find });
			assert.equal(found.payload.matches.find(({ kind }) => kind === "tool")?.name, find);

			const called = await ask(prefix, "call", { toolName: call[0], arguments: call[1] });
			assert.equal(called.isError, false, called.text);
			assert.deepEqual(called.payload.result, call[2]);

			const ran = await ask(prefix, "run_skill", { skill: skill[0], arguments: skill[1], confirm: true });
			assert.equal(ran.isError, false, ran.text);
			// What the skill returned, beside what the runtime says of the run.
			const { isError: _, calls: __, receipt: ___, ...returned } = ran.payload;
			assert.deepEqual(returned, skill[2]);

			if (!change) return;
			const refused = await ask(prefix, "call", { toolName: change[0], arguments: change[1] });
			assert.equal(refused.payload.code, "CONFIRM_REQUIRED", refused.text);
			const done = await ask(prefix, "call", { toolName: change[0], arguments: change[1], confirm: true });
			assert.deepEqual(done.payload.result, change[2]);
		});
	}

	test("ollama: a job that one call starts is known to the next", async () => {
		const args = { model: "m", prompt: "later" };
		const started = await ask("ollama", "call", { toolName: "start_generate", arguments: args, confirm: true });
		const { jobId } = started.payload.result;
		let job;
		for (const end = Date.now() + 20_000; job?.status !== "done" && Date.now() < end; ) {
			const { payload } = await ask("ollama", "call", { toolName: "job_status", arguments: { jobId } });
			job = payload.result;
		}
		assert.deepEqual(job, { status: "done", result: { response: "later" } });
	});

	test("one that lacks its settings harms no other", async () => {
		const { CCDD_GATE_SCRIPT: _, ...without } = env;
		const { stdout } = await promisify(execFile)(process.execPath, [CLI, "list", "--json"], { env: without });
		const { plugins } = JSON.parse(stdout);
		const states = Object.fromEntries(plugins.map(({ prefix, state }) => [prefix, state]));
		for (const prefix of Object.keys(PLUGINS)) {
			if (prefix !== "ccdd") assert.equal(states[prefix], "ready", prefix);
		}
		const ccdd = plugins.find(({ prefix }) => prefix === "ccdd");
		assert.match(ccdd.reason ?? "", /CCDD_GATE_SCRIPT is not set/);
	});
});
