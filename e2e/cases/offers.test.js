// What MCP servers offer besides tools: resources and prompts, as tools that read; and what they log.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { headers, MODERN, request } from "../harness/protocol.js";
import { DOORS, environment } from "./doors.js";
import { events, FakeHttpServer, reply } from "./fake-http-server.js";
import { makePlugin } from "./plugin.js";
import { until } from "./raw-doors.js";

const tool = (name) => ({ name, description: "test tool", inputSchema: { type: "object", properties: {} } });
const numbered = (count, item) => Array.from({ length: count }, (_, index) => item(index + 1));
const resource = (number) => ({ uri: `file:///${number}.md`, name: `page ${number}` });

const TEMPLATE = { uriTemplate: "db:///{table}", name: "table" };

/** Answers of a server with resources and prompts in pages of two. */
function offering({
	resources = numbered(5, resource),
	templates = [TEMPLATE],
	prompts = [],
	tools = [tool("t")],
	declared = {},
} = {}) {
	const pages = (key, items) => (params) => {
		const start = Number(params.cursor ?? 0);
		const next = start + 2 < items.length ? { nextCursor: String(start + 2) } : {};
		return { [key]: items.slice(start, start + 2), ...next };
	};
	return {
		initialize: ({ protocolVersion }) => ({
			protocolVersion,
			capabilities: { tools: {}, resources: {}, prompts: {}, ...declared },
			serverInfo: { name: "fake", version: "0.0.0" },
		}),
		"tools/list": () => ({ tools }),
		"resources/list": pages("resources", resources),
		"resources/templates/list": pages("resourceTemplates", templates),
		"resources/read": ({ uri }) => ({ contents: [{ uri, mimeType: "text/markdown", text: `content of ${uri}` }] }),
		"prompts/list": pages("prompts", prompts),
		"prompts/get": ({ name, arguments: given }) => ({
			messages: [{ role: "user", content: { type: "text", text: `${name}: ${JSON.stringify(given)}` } }],
		}),
	};
}

async function serve(t, scenario) {
	const server = await new FakeHttpServer(scenario).listen(t);
	const mcp = { url: `http://127.0.0.1:${server.port}/mcp` };
	// What it offers may change while it runs.
	const trust = /** @type {const} */ ({ definitions: "off" });
	const plugin = makePlugin(t, { scenario: {}, manifest: { mcp, requireConfirm: true }, trust });
	const door = await DOORS["in process"](t, plugin);
	const flat = { kind: "flat", plugin: "x" };
	return {
		server,
		call: (toolName, args = {}) => door.call("agent_tools_x_call", { toolName, arguments: args }),
		discover: (query) => door.call("agent_tools_x_discover", { query }),
		names: async () => (await door.tools(flat)).map(({ name }) => name),
		tools: () => door.tools(flat),
	};
}

describe("what servers offer besides tools", { timeout: 60_000 }, () => {
	test("every resource is listed and can be read without consent", async (t) => {
		const { server, call, discover, names } = await serve(t, { answers: offering() });
		assert.deepEqual((await names()).sort(), ["list_resources", "read_more", "read_resource", "t"]);
		const { failure, text } = await call("list_resources");
		assert.equal(failure, undefined, text);
		for (const { uri } of numbered(5, resource)) assert.ok(text.includes(uri), text);
		assert.ok(text.includes("db:///{table}"));
		const read = await call("read_resource", { uri: "file:///3.md" });
		assert.equal(read.isError, false, read.text);
		assert.match(read.text, /content of file:\/\/\/3.md/);
		assert.equal(server.sent("resources/read")[0].message.params.uri, "file:///3.md");
		assert.match((await discover("page 4")).text, /read_resource/);
		const refused = await call("read_resource", {});
		assert.equal(refused.code, "ARG_VALIDATION_FAILED", refused.text);
	});

	test("every prompt is a tool with its arguments", async (t) => {
		const prompts = [
			{ name: "review", description: "Reviews code", arguments: [{ name: "code", required: true }] },
			{ name: "two" },
			{ name: "three" },
		];
		const { server, call, tools } = await serve(t, { answers: offering({ resources: [], prompts }) });
		const review = (await tools()).find(({ name }) => name === "prompt_review");
		assert.deepEqual(review.inputSchema.required, ["code"]);
		assert.equal(review.annotations.readOnlyHint, true);
		const missing = await call("prompt_review");
		assert.equal(missing.code, "ARG_VALIDATION_FAILED", missing.text);
		const got = await call("prompt_review", { code: "x = 1" });
		assert.ok(got.text.includes("review: ") && got.text.includes("x = 1"), got.text);
		assert.equal((await call("prompt_three")).isError, false);
		assert.deepEqual(server.sent("prompts/get")[0].message.params, {
			...server.sent("prompts/get")[0].message.params,
			name: "review",
			arguments: { code: "x = 1" },
		});
	});

	test("the server's own tools keep their names", async (t) => {
		const tools = [tool("read_resource"), tool("prompt_a")];
		const { server, call, names } = await serve(t, { answers: offering({ tools, prompts: [{ name: "a" }] }) });
		const listed = await names();
		for (const name of ["read_resource", "mcp_read_resource", "prompt_a", "mcp_prompt_a"]) {
			assert.ok(listed.includes(name), `${listed}`);
		}
		assert.equal((await call("mcp_read_resource", { uri: "file:///1.md" })).isError, false);
		assert.equal(server.sent("resources/read").length, 1);
		assert.equal((await call("read_resource")).code, "CONFIRM_REQUIRED");
	});

	test("what is not declared, empty, broken or silent takes nothing away from the tools", async (t) => {
		for (const scenario of [
			{ answers: offering({ declared: { resources: undefined } }) },
			{ answers: offering({ resources: [] }), rules: [{ when: { rpc: "resources/templates/list" }, status: 500 }] },
			{ answers: offering(), rules: [{ when: { rpc: "resources/list" }, status: 500 }] },
			{ answers: offering(), rules: [{ when: { rpc: "resources/list" }, action: () => {} }] },
		]) {
			const { names } = await serve(t, scenario);
			assert.deepEqual((await names()).sort(), ["read_more", "t"]);
		}
	});

	test("a server without tools offers its resources all the same", async (t) => {
		const answers = { ...offering({ declared: { tools: undefined } }), "tools/list": undefined };
		const { server, call } = await serve(t, { answers });
		assert.equal((await call("read_resource", { uri: "file:///1.md" })).isError, false);
		assert.deepEqual(server.sent("tools/list"), []);
	});

	for (const what of ["resources", "prompts"]) {
		test(`a change of the ${what} is seen at once`, async (t) => {
			/** @type {import("node:http").ServerResponse | undefined} */
			let stream;
			const scenario = { resources: [], templates: [], prompts: /** @type {any[]} */ ([]) };
			const open = (_, response) => {
				stream = events(response);
				response.flushHeaders();
			};
			const { names } = await serve(t, {
				answers: offering(scenario),
				rules: [{ when: { verb: "GET" }, action: open }],
			});
			assert.deepEqual((await names()).sort(), ["read_more", "t"]);
			await until(() => stream !== undefined);
			scenario[what].push({ uri: "file:///new.md", name: "new" });
			const notification = { jsonrpc: "2.0", method: `notifications/${what}/list_changed` };
			stream?.write(`data: ${JSON.stringify(notification)}\n\n`);
			const expected = what === "resources" ? "read_resource" : "prompt_new";
			const end = Date.now() + 10_000;
			while (!(await names()).includes(expected)) assert.ok(Date.now() < end, "the change was not seen");
		});
	}

	test("a change is seen at once in the protocol without sessions", async (t) => {
		const tools = [tool("t")];
		/** @type {import("node:http").ServerResponse | undefined} */
		let stream;
		const results = {
			"server/discover": { supportedVersions: [MODERN], capabilities: { tools: { listChanged: true } } },
			"tools/list": { tools },
		};
		const notify = (method, message, params = {}) => {
			const _meta = { "io.modelcontextprotocol/subscriptionId": message.id };
			stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, _meta } })}\n\n`);
		};
		let listening;
		const action = ({ message }, response) => {
			if (message.method !== "subscriptions/listen") {
				const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", ...results[message.method] };
				return reply(response, { id: message.id, result });
			}
			[listening, stream] = [message, events(response)];
			notify("notifications/subscriptions/acknowledged", message, { notifications: { toolsListChanged: true } });
		};
		const { server, names } = await serve(t, { rules: [{ when: { verb: "POST" }, action }] });
		assert.deepEqual((await names()).sort(), ["read_more", "t"]);
		await until(() => listening !== undefined);
		assert.deepEqual(server.sent("subscriptions/listen")[0].message.params.notifications, { toolsListChanged: true });
		tools.push(tool("new"));
		notify("notifications/tools/list_changed", listening);
		const end = Date.now() + 10_000;
		while (!(await names()).includes("new")) assert.ok(Date.now() < end, "the change was not seen");
		assert.deepEqual(server.sent("initialize"), []);
	});

	test("what a server logs is in the log, with the plugin's name and at its level", async (t) => {
		const log = (level, data) =>
			`data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level, logger: "db", data } })}\n\n`;
		const action = ({ message }, response) => {
			events(response).write(log("warning", "disk\nnearly full") + log("debug", { free: 1 }));
			response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", ...server.answerTo(message) })}\n\n`);
		};
		const server = await new FakeHttpServer({
			tools: [tool("t")],
			rules: [{ when: { rpc: "tools/call" }, action }],
		}).listen(t);
		const mcp = { url: `http://127.0.0.1:${server.port}/mcp` };
		const plugin = makePlugin(t, { scenario: {}, manifest: { mcp } });
		const env = { ...environment(plugin), AGENT_TOOLS_LOG: "agent_tools_runtime=info", NO_COLOR: "1" };
		const { port, output } = await startHttp(t, { env });
		const body = request("legacy", 1, "tools/call", { name: "agent_tools_x_call", arguments: { toolName: "t" } });
		await send({ port, headers: headers("legacy", "tools/call"), body });
		await until(() => output().includes("disk"));
		const line = output()
			.split("\n")
			.find((line) => line.includes("disk"));
		assert.match(String(line), /WARN.*disk nearly full.*plugin="x"/);
		assert.doesNotMatch(output(), /"free"/);
	});
});
