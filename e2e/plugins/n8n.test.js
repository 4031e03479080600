import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dataTable } from "../services/n8n/data-tables.js";
import { workflow } from "../services/n8n/workflows.js";
import { KEY, startN8n } from "../services/n8n.js";
import { openBundled } from "./bundled.js";

const TABLE = "tableTableTable1";
const WEBHOOK = {
	name: "Webhook",
	type: "n8n-nodes-base.webhook",
	typeVersion: 2,
	position: [0, 0],
	parameters: { path: "orders", httpMethod: "POST" },
};
/** Without it a DELETE is refused, as nobody can be asked here. */
const MAY_DESTROY = { policy: { groups: { destructive: "allow" } } };

/**
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof startN8n>[1]} [service]
 * @param {object} [options]
 */
async function n8n(t, service, options = MAY_DESTROY) {
	const server = await startN8n(t, service);
	return { server, ...(await openBundled(t, "n8n", { N8N_URL: server.url, N8N_API_KEY: KEY }, options)) };
}

const state = () => ({
	workflows: [
		workflow({ id: "w1", name: "Orders", active: true, nodes: [WEBHOOK] }),
		workflow({ id: "w2", name: "Old", nodes: [WEBHOOK] }),
		workflow({ id: "w3", name: "Archived", isArchived: true }),
	],
	executions: [
		{ id: "13", workflowId: "w1", status: "running" },
		{ id: "12", workflowId: "w1", status: "error" },
		{ id: "11", workflowId: "w2", status: "success" },
	],
	credentials: [{ id: "c1", name: "Stripe", type: "httpHeaderAuth", data: { value: "s3cret" } }],
	tables: [
		dataTable({
			id: TABLE,
			name: "Leads",
			columns: [{ name: "email", type: "string" }],
			rows: [{ email: "a@x.org" }, { email: "b@x.org" }],
		}),
	],
});
const FILTER = { type: "and", filters: [{ columnName: "email", condition: "eq", value: "a@x.org" }] };
const NEW = { name: "New", nodes: [WEBHOOK], connections: {}, settings: {} };

/**
 * Each tool in turn, with one instance: its arguments, the request that n8n must get, and what of the answer matters.
 *
 * @type {[string, object, string, {query?: object, body?: unknown}, (answer: any) => unknown, unknown][]}
 */
const TOOLS = [
	[
		"list_workflows",
		{ active: true, limit: 5 },
		"GET /workflows",
		{ query: { active: "true", limit: "5" } },
		({ workflows }) => workflows.map(Object.keys),
		[["id", "name", "active", "isArchived", "triggerCount", "tags.name", "createdAt", "updatedAt"]],
	],
	[
		"export_workflows",
		{ limit: 1 },
		"GET /workflows",
		{ query: { excludePinnedData: "true", limit: "1" } },
		({ data: [{ nodes }] }) => nodes,
		[WEBHOOK],
	],
	["get_workflow", { workflowId: "w1" }, "GET /workflows/w1", {}, ({ name }) => name, "Orders"],
	["create_workflow", NEW, "POST /workflows", { body: NEW }, ({ id }) => id, "w101"],
	[
		"update_workflow",
		{ workflowId: "w101", ...NEW, name: "Newer" },
		"PUT /workflows/w101",
		{ body: { ...NEW, name: "Newer" } },
		({ name }) => name,
		"Newer",
	],
	[
		"publish_workflow",
		{ workflowId: "w101" },
		"POST /workflows/w101/activate",
		{ body: {} },
		({ active }) => active,
		true,
	],
	[
		"call_webhook",
		{ path: "orders", body: { n: 1 } },
		"POST /webhook/orders",
		{ body: { n: 1 } },
		({ got }) => got,
		{ n: 1 },
	],
	["unpublish_workflow", { workflowId: "w101" }, "POST /workflows/w101/deactivate", {}, ({ active }) => active, false],
	[
		"archive_workflow",
		{ workflowId: "w101" },
		"POST /workflows/w101/archive",
		{},
		({ isArchived }) => isArchived,
		true,
	],
	[
		"unarchive_workflow",
		{ workflowId: "w101" },
		"POST /workflows/w101/unarchive",
		{},
		({ isArchived }) => isArchived,
		false,
	],
	["create_tag", { name: "prod" }, "POST /tags", { body: { name: "prod" } }, ({ id }) => id, "t1"],
	[
		"rename_tag",
		{ tagId: "t1", name: "production" },
		"PUT /tags/t1",
		{ body: { name: "production" } },
		({ name }) => name,
		"production",
	],
	["list_tags", {}, "GET /tags", {}, ({ data }) => data.length, 1],
	[
		"set_workflow_tags",
		{ workflowId: "w101", body: [{ id: "t1" }] },
		"PUT /workflows/w101/tags",
		{ body: [{ id: "t1" }] },
		(tags) => tags[0].name,
		"production",
	],
	["get_workflow_tags", { workflowId: "w101" }, "GET /workflows/w101/tags", {}, (tags) => tags.length, 1],
	["delete_tag", { tagId: "t1" }, "DELETE /tags/t1", {}, ({ name }) => name, "production"],
	["delete_workflow", { workflowId: "w101" }, "DELETE /workflows/w101", {}, ({ id }) => id, "w101"],
	[
		"list_executions",
		{ status: "error", workflowId: "w1" },
		"GET /executions",
		{ query: { status: "error", workflowId: "w1" } },
		({ data }) => data.map(({ id }) => id),
		["12"],
	],
	[
		"get_execution",
		{ executionId: "12", includeData: true },
		"GET /executions/12",
		{ query: { includeData: "true" } },
		({ data }) => data.resultData,
		{ runData: {} },
	],
	[
		"retry_execution",
		{ executionId: 12, loadWorkflow: true },
		"POST /executions/12/retry",
		{ body: { loadWorkflow: true } },
		({ retryOf }) => retryOf,
		"12",
	],
	["stop_execution", { executionId: "13" }, "POST /executions/13/stop", {}, ({ status }) => status, "canceled"],
	["delete_execution", { executionId: "13" }, "DELETE /executions/13", {}, ({ id }) => id, 13],
	[
		"get_credential_schema",
		{ credentialTypeName: "httpHeaderAuth" },
		"GET /credentials/schema/httpHeaderAuth",
		{},
		({ required }) => required,
		["name", "value"],
	],
	[
		"create_credential",
		{ name: "Mail", type: "httpHeaderAuth", data: { name: "X", value: "y" } },
		"POST /credentials",
		{ body: { name: "Mail", type: "httpHeaderAuth", data: { name: "X", value: "y" } } },
		({ id, data }) => [id, data],
		["c2", undefined],
	],
	["list_credentials", {}, "GET /credentials", {}, ({ data }) => data.map(({ name }) => name), ["Stripe", "Mail"]],
	["get_credential", { credentialId: "c1" }, "GET /credentials/c1", {}, ({ name }) => name, "Stripe"],
	["test_credential", { credentialId: "c1" }, "POST /credentials/c1/test", {}, ({ status }) => status, "OK"],
	["delete_credential", { credentialId: "c2" }, "DELETE /credentials/c2", {}, ({ name }) => name, "Mail"],
	[
		"list_data_tables",
		{ sortBy: "name:asc" },
		"GET /data-tables",
		{ query: { sortBy: "name:asc" } },
		({ data }) => data[0].id,
		TABLE,
	],
	[
		"create_data_table",
		{ name: "T", columns: [{ name: "n", type: "number" }] },
		"POST /data-tables",
		{ body: { name: "T", columns: [{ name: "n", type: "number" }] } },
		({ id }) => id,
		"newDataTable0011",
	],
	["get_data_table", { dataTableId: TABLE }, `GET /data-tables/${TABLE}`, {}, ({ name }) => name, "Leads"],
	[
		"rename_data_table",
		{ dataTableId: TABLE, name: "People" },
		`PATCH /data-tables/${TABLE}`,
		{ body: { name: "People" } },
		({ name }) => name,
		"People",
	],
	[
		"add_data_table_column",
		{ dataTableId: TABLE, name: "age", type: "number" },
		`POST /data-tables/${TABLE}/columns`,
		{ body: { name: "age", type: "number" } },
		({ index }) => index,
		1,
	],
	[
		"list_data_table_rows",
		{ dataTableId: TABLE, filter: FILTER },
		`GET /data-tables/${TABLE}/rows`,
		{ query: { filter: JSON.stringify(FILTER) } },
		({ data }) => data.map(({ id }) => id),
		[1],
	],
	[
		"insert_data_table_rows",
		{ dataTableId: TABLE, data: [{ email: "c@x.org" }], returnType: "id" },
		`POST /data-tables/${TABLE}/rows`,
		{ body: { data: [{ email: "c@x.org" }], returnType: "id" } },
		(ids) => ids,
		[{ id: 3 }],
	],
	[
		"update_data_table_rows",
		{ dataTableId: TABLE, filter: FILTER, data: { age: 7 }, returnData: true },
		`PATCH /data-tables/${TABLE}/rows/update`,
		{ body: { filter: FILTER, data: { age: 7 }, returnData: true } },
		([{ age }]) => age,
		7,
	],
	[
		"upsert_data_table_row",
		{ dataTableId: TABLE, filter: FILTER, data: { age: 8 } },
		`POST /data-tables/${TABLE}/rows/upsert`,
		{ body: { filter: FILTER, data: { age: 8 } } },
		(answer) => answer,
		true,
	],
	[
		"delete_data_table_rows",
		{ dataTableId: TABLE, filter: FILTER, dryRun: true },
		`DELETE /data-tables/${TABLE}/rows/delete`,
		{ query: { filter: JSON.stringify(FILTER), dryRun: "true" } },
		(rows) => rows.length,
		1,
	],
	["delete_data_table", { dataTableId: TABLE }, `DELETE /data-tables/${TABLE}`, {}, ({ status }) => status, 204],
	["list_projects", {}, "GET /projects", {}, ({ data }) => data[0].type, "personal"],
	[
		"generate_audit",
		{ additionalOptions: { categories: ["nodes"] } },
		"POST /audit",
		{ body: { additionalOptions: { categories: ["nodes"] } } },
		(reports) => reports,
		[],
	],
];

describe("n8n", { timeout: 120_000 }, () => {
	test("every tool sends what n8n's API takes", async (t) => {
		const { call, server, runtime } = await n8n(t, state());
		for (const [tool, args, request, { query = {}, body }, part, expected] of TOOLS) {
			const answer = await call(tool, args);
			const [method, path] = request.split(" ");
			const got = server.received.at(-1);
			const prefix = path.startsWith("/webhook/") ? "" : "/api/v1";
			const key = prefix ? KEY : undefined;
			assert.deepEqual(got, { method, path: prefix + path, query, body, key }, tool);
			assert.ok(!answer.isError, `${tool}: ${JSON.stringify(answer)}`);
			assert.deepEqual(part(answer), expected, tool);
		}
		const listed = await runtime.tools({ kind: "flat", plugin: "n8n" });
		const names = listed.map(({ name }) => name).filter((name) => name !== "read_more" && !name.startsWith("skill_"));
		assert.deepEqual(names.toSorted(), TOOLS.map(([tool]) => tool).toSorted());
		// Whatever a model says, the key goes where N8N_URL says.
		for (const { name, inputSchema } of listed) assert.ok(!("url" in inputSchema.properties), name);
	});

	test("what changes something needs consent, what destroys a rule", async (t) => {
		const { callUnasked, call, skill, skillUnasked, server } = await n8n(t, state(), {});
		for (const [tool, args, request] of TOOLS) {
			const reads = request.startsWith("GET ") || tool === "generate_audit";
			const before = server.received.length;
			const { code } = await callUnasked(tool, args);
			if (reads) assert.notEqual(code, "CONFIRM_REQUIRED", tool);
			else assert.equal(code, "CONFIRM_REQUIRED", tool);
			assert.equal(server.received.length - before, reads ? 1 : 0, tool);
			if (request.startsWith("DELETE ")) assert.equal((await call(tool, args)).code, "POLICY_DENIED", tool);
		}
		const before = server.received.length;
		for (const [name, args] of /** @type {const} */ ([
			["delete-workflow", { workflowId: "w1" }],
			["delete-workflows-bulk", { active: false, dryRun: false }],
			["delete-data-tables-bulk", { namePattern: "*", dryRun: false }],
			["delete-execution", { executionId: "11" }],
			["delete-executions-bulk", { status: "error", dryRun: false }],
			["delete-credential", { credentialId: "c1" }],
		])) {
			assert.equal((await skillUnasked(name, args)).code, "CONFIRM_REQUIRED", name);
			assert.equal((await skill(name, args)).code, "POLICY_DENIED", name);
		}
		assert.equal(server.received.length, before);
		for (const name of ["find-workflows", "audit-workflows"]) assert.ok(!(await skillUnasked(name)).isError, name);
	});

	test("an instance is found with a slash at the end, and under a path", async (t) => {
		for (const [path, end] of /** @type {const} */ ([
			["", "/"],
			["/tools/n8n", ""],
			["/tools/n8n", "/"],
		])) {
			const server = await startN8n(t, { ...state(), path });
			const { call } = await openBundled(t, "n8n", { N8N_URL: server.url + end, N8N_API_KEY: KEY });
			assert.equal((await call("get_workflow", { workflowId: "w1" })).name, "Orders", path + end);
			assert.deepEqual((await call("call_webhook", { path: "orders", body: {} })).got, {}, path + end);
		}
	});

	test("an address that is not the root of an instance is told", async (t) => {
		const { url } = await startN8n(t);
		const { skill } = await openBundled(t, "n8n", { N8N_URL: `${url}/api/v1`, N8N_API_KEY: KEY });
		const { error, hint } = await skill("find-workflows");
		assert.match(error, /404: not found/);
		assert.match(hint, /N8N_URL must be the root of the instance, without \/api\/v1/);
	});

	test("a variable that is missing is named", async (t) => {
		const { url } = await startN8n(t);
		for (const missing of ["N8N_URL", "N8N_API_KEY"]) {
			const { call } = await openBundled(t, "n8n", { N8N_URL: url, N8N_API_KEY: KEY, [missing]: undefined });
			const said = JSON.stringify(await call("list_workflows"));
			assert.match(said, new RegExp(missing));
		}
	});

	const answers =
		(status, body, headers = {}) =>
		(_, response) =>
			response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

	test("a refusal is told as it is, by a tool and by a skill", async (t) => {
		let behaviour = answers(500, "");
		const { call, skill } = await n8n(t, { behaviour: (...given) => behaviour(...given) });
		for (const [status, body, headers, said, code = "TOOL_FAILED"] of /** @type {const} */ ([
			[401, '{"message":"unauthorized"}', {}, /N8N_API_KEY/, "UPSTREAM_AUTH"],
			[403, '{"message":"Forbidden"}', {}, /Forbidden/, "UPSTREAM_AUTH"],
			[404, '{"message":"Not Found"}', {}, /"status":404/],
			[409, '{"message":"in review"}', {}, /in review/],
			[429, '{"message":"slow"}', { "retry-after": "60" }, /"retryAfterSeconds":60/],
			[500, '{"message":"Internal server error"}', {}, /Internal server error/],
			[503, "<h1>starting</h1>", { "content-type": "text/html" }, /starting/],
		])) {
			behaviour = answers(status, body, headers);
			const failed = await call("publish_workflow", { workflowId: "w1" });
			assert.equal(failed.code, code, status);
			assert.match(JSON.stringify(failed), said);
			const run = await skill("data-table-crud", { operation: "read", dataTableId: TABLE });
			assert.equal(run.code, code === "TOOL_FAILED" ? "SKILL_FAILED" : code, status);
			if (code === "TOOL_FAILED") assert.equal(run.hostCode, `N8N_${status}`);
			behaviour = answers(200, "{}");
			// Between two failures of the same code, so that neither counts as a repetition.
			await call("publish_workflow", { workflowId: "w1" });
		}
	});

	test("answers that are no JSON, empty or late", async (t) => {
		const page = await n8n(t, { behaviour: answers(200, "<html>sign in</html>", { "content-type": "text/html" }) });
		const { error, hostCode } = await page.skill("find-workflows");
		assert.match(error, /export_workflows.*not the answer of n8n's API/);
		assert.equal(hostCode, "N8N_ERROR");
		const empty = await n8n(t);
		assert.deepEqual((await empty.call("list_workflows")).workflows, []);
		assert.deepEqual((await empty.skill("find-workflows")).workflows, []);
		assert.deepEqual((await empty.skill("audit-workflows")).workflows, []);
		const late = await n8n(t, { behaviour: () => true }, { deadlines: { callMs: 300 } });
		assert.equal((await late.call("list_workflows")).code, "TIMEOUT");
		assert.equal((await late.call("publish_workflow", { workflowId: "w1" })).code, "OUTCOME_UNKNOWN");
	});

	test("a reading call waits where n8n asks for it", async (t) => {
		let asked = 0;
		const behaviour = (_, response) => asked++ === 0 && response.writeHead(429, { "retry-after": "0" }).end("{}");
		const { skill } = await n8n(t, { ...state(), behaviour });
		assert.equal((await skill("find-workflows")).total, 3);
		assert.equal(asked, 2);
	});

	test("the key does not follow a redirect", async (t) => {
		const elsewhere = await startN8n(t);
		const behaviour = (_, response) => response.writeHead(307, { location: `${elsewhere.url}/api/v1/workflows` }).end();
		const { call } = await n8n(t, { behaviour });
		await call("list_workflows");
		await call("create_workflow", NEW);
		assert.deepEqual(elsewhere.received, []);
	});

	test("is found by what people ask for", async (t) => {
		const { discover } = await n8n(t);
		for (const [query, expected] of /** @type {const} */ ([
			["which workflows failed", /list_executions/],
			["delete old executions", /delete-executions-bulk/],
			["find insecure webhooks and secrets in workflows", /audit-workflows/],
			["add a row to a data table", /insert-and-verify-datatable-row/],
			["new workflow", /create-and-verify-workflow/],
			["run a workflow", /call_webhook/],
		])) {
			assert.match(await discover(query), expected, query);
		}
	});
});
