import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dataTable } from "../services/n8n/data-tables.js";
import { workflow } from "../services/n8n/workflows.js";
import { KEY, startN8n } from "../services/n8n.js";
import { openBundled } from "./bundled.js";

const TABLE = "tableTableTable1";
const COLUMNS = [
	{ name: "email", type: "string" },
	{ name: "age", type: "number" },
	{ name: "since", type: "date" },
];

/**
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof startN8n>[1]} [service]
 */
async function n8n(t, service) {
	const server = await startN8n(t, service);
	const options = { policy: { groups: { destructive: "allow" } } };
	const { skill } = await openBundled(t, "n8n", { N8N_URL: server.url, N8N_API_KEY: KEY }, options);
	const { state, calls } = server;
	return { skill, server, state, changes: () => calls().filter((call) => !call.startsWith("GET ")) };
}

const many = (count, make) => Array.from({ length: count }, (_, index) => make(index + 1));
const workflows = () => [
	workflow({ id: "w1", name: "Orders", active: true }),
	workflow({ id: "w2", name: "test-a" }),
	workflow({ id: "w3", name: "Test-b", tags: [{ id: "t1", name: "old" }] }),
	workflow({ id: "w4", name: "latest", isArchived: true }),
];
const WEBHOOK = { name: "In", type: "n8n-nodes-base.webhook", parameters: { path: "in", httpMethod: "POST" } };
const SET = { name: "Set", type: "n8n-nodes-base.set", parameters: { mode: "raw" } };
const CODE = { nodes: [WEBHOOK, SET], connections: { In: { main: [[{ node: "Set", type: "main", index: 0 }]] } } };

describe("n8n workflows", { timeout: 120_000 }, () => {
	test("are found by name and state, from all pages", async (t) => {
		const { skill, server } = await n8n(t, {
			workflows: many(600, (n) => workflow({ id: `w${n}`, name: n % 2 ? `odd-${n}` : `even-${n}` })),
		});
		const found = await skill("find-workflows", { namePattern: "ODD-5", pageSize: 60, page: 2 });
		assert.deepEqual([found.total, found.page, found.pages, found.nextPage], [56, 2, 1, undefined]);
		assert.deepEqual(
			server.received.map(({ query }) => query.limit),
			["250", "250", "250"],
		);
		const first = await skill("find-workflows", { namePattern: "odd-*", pageSize: 200 });
		assert.deepEqual([first.total, first.workflows.length, first.pages, first.nextPage], [300, 200, 2, 2]);
	});

	test("patterns are parts of names, or whole names with wildcards", async (t) => {
		const { skill } = await n8n(t, { workflows: workflows() });
		for (const [namePattern, expected] of /** @type {const} */ ([
			["test", ["test-a", "Test-b", "latest"]],
			["test*", ["test-a", "Test-b"]],
			["test-?", ["test-a", "Test-b"]],
			["*est", ["latest"]],
			["*e?t*", ["test-a", "Test-b", "latest"]],
			["?", []],
			["*", ["Orders", "test-a", "Test-b", "latest"]],
			["orders", ["Orders"]],
			["o*r*s*s", []],
			["(.*", []],
		])) {
			const found = await skill("find-workflows", { namePattern });
			assert.deepEqual(
				found.workflows.map(({ name }) => name),
				expected,
				namePattern,
			);
		}
		const active = await skill("find-workflows", { active: true });
		assert.deepEqual(
			active.workflows.map(({ id }) => id),
			["w1"],
		);
		const [, , tagged, archived] = (await skill("find-workflows")).workflows;
		assert.deepEqual([tagged.tags, archived.archived], [["old"], true]);
	});

	test("are created from what n8n exports, and read back", async (t) => {
		const { skill, state, server } = await n8n(t);
		const exported = {
			...CODE,
			id: "abc",
			active: true,
			versionId: "v9",
			tags: [],
			settings: { executionTimeout: 60 },
		};
		const made = await skill("create-and-verify-workflow", { code: JSON.stringify(exported), name: "Made" });
		assert.deepEqual(made, { confirmed: true, workflow: { id: "w101", name: "Made", nodes: 2 }, published: false });
		assert.deepEqual(Object.keys(server.received[0].body), ["name", "nodes", "connections", "settings"]);
		assert.deepEqual(state.workflows[0].settings, { executionTimeout: 60 });
		const published = await skill("create-and-verify-workflow", { code: CODE, name: "Published", publish: true });
		assert.equal(published.published, true);
	});

	test("are run once through their webhook, to the end", async (t) => {
		const { skill, changes } = await n8n(t);
		const { execution, ...made } = await skill("create-and-verify-workflow", {
			code: CODE,
			name: "Run",
			publish: true,
			execute: true,
		});
		assert.deepEqual(made, {
			confirmed: true,
			workflow: { id: "w101", name: "Run", nodes: 2 },
			published: true,
			executed: true,
			answer: { message: "Workflow was started", got: {} },
		});
		assert.equal(execution.status, "success");
		assert.deepEqual(changes(), ["POST /api/v1/workflows", "POST /api/v1/workflows/w101/activate", "POST /webhook/in"]);
	});

	test("are not said to have run where n8n lists no end of it, or refuses", async (t) => {
		const args = { code: CODE, name: "Run", publish: true, execute: true };
		const silent = await n8n(t, { behaviour: ({ path }, response) => path === "/webhook/in" && response.end("on it") });
		const { executed, answer, problem } = await silent.skill("create-and-verify-workflow", args);
		assert.deepEqual([executed, answer], [null, "on it"]);
		assert.match(problem, /still runs/);
		const refuse = ({ path }, response) => path === "/webhook/in" && response.writeHead(500).end("Error in workflow");
		const failing = await n8n(t, { behaviour: refuse });
		const failed = await failing.skill("create-and-verify-workflow", args);
		assert.deepEqual([failed.workflow.id, failed.published, failed.executed], ["w101", true, false]);
		assert.match(failed.problem, /500.*Error in workflow/);
	});

	test("are said to differ where n8n stored something else, and to exist where publishing fails", async (t) => {
		const change = ({ method, path, body }) => {
			if (method === "POST" && path === "/api/v1/workflows") body.nodes[1].parameters = { mode: "manual" };
		};
		const differing = await n8n(t, { behaviour: change });
		const made = await differing.skill("create-and-verify-workflow", { code: CODE, name: "Made" });
		assert.deepEqual([made.confirmed, made.differences], [false, ["node Set is not the same"]]);
		const { skill } = await n8n(t);
		const unpublished = await skill("create-and-verify-workflow", {
			code: { nodes: [SET] },
			name: "No trigger",
			publish: true,
		});
		assert.deepEqual([unpublished.confirmed, unpublished.workflow.id, unpublished.published], [true, "w101", false]);
		assert.match(unpublished.problem, /400.*no trigger node/);
	});

	test("are not created from what cannot be one", async (t) => {
		const { skill, server } = await n8n(t);
		const twice = { nodes: [SET, SET] };
		const nowhere = { nodes: [SET], connections: { Set: { main: [[{ node: "Gone" }]] } } };
		for (const [args, error] of /** @type {const} */ ([
			[{ code: "workflow('x')" }, /code is no JSON/],
			[{ code: "[]" }, /has no nodes/],
			[{ code: { nodes: [{ name: "A" }] } }, /Node 0 of code has no name or no type/],
			[{ code: twice }, /Two nodes of code are called "Set"/],
			[{ code: nowhere }, /names the node "Gone"/],
			[{ code: CODE, execute: true }, /needs publish: true/],
			[{ code: { nodes: [SET] }, publish: true, execute: true }, /needs a Webhook node/],
		])) {
			const reply = await skill("create-and-verify-workflow", { name: "X", ...args });
			assert.match(reply.error, error);
			assert.equal(reply.stage, "arguments");
		}
		assert.deepEqual(server.received, []);
	});

	test("one is deleted by id or by a name that only it has", async (t) => {
		const { skill, state, changes } = await n8n(t, { workflows: workflows() });
		for (const [args, error] of /** @type {const} */ ([
			[{}, /either workflowId or namePattern/],
			[{ workflowId: "w1", namePattern: "Orders" }, /either workflowId or namePattern/],
			[{ namePattern: "test" }, /3 workflows.*test-a \(w2\), Test-b \(w3\), latest \(w4\)\. Nothing was done/],
			[{ namePattern: "nothing" }, /No workflow is called like "nothing"/],
			[{ workflowId: "w9" }, /404/],
		])) {
			assert.match((await skill("delete-workflow", args)).error, error);
		}
		assert.deepEqual(changes(), []);
		assert.deepEqual(await skill("delete-workflow", { namePattern: "test-a" }), {
			confirmed: true,
			deleted: { id: "w2", name: "test-a" },
		});
		assert.deepEqual(await skill("delete-workflow", { workflowId: "w3" }), {
			confirmed: true,
			deleted: { id: "w3", name: "Test-b" },
		});
		assert.deepEqual(
			state.workflows.map(({ id }) => id),
			["w1", "w4"],
		);
	});

	test("a published one is unpublished first, and n8n given the time that it takes", async (t) => {
		const { skill, changes } = await n8n(t, { workflows: workflows(), unpublishing: 1 });
		const gone = await skill("delete-workflow", { workflowId: "w1" });
		assert.deepEqual(gone, { confirmed: true, deleted: { id: "w1", name: "Orders" }, unpublishedFirst: true });
		const remove = "DELETE /api/v1/workflows/w1";
		assert.deepEqual(changes(), [remove, "POST /api/v1/workflows/w1/deactivate", remove, remove]);
		const older = await n8n(t, { workflows: workflows(), old: true });
		await older.skill("delete-workflow", { workflowId: "w1" });
		assert.deepEqual(older.changes(), [remove]);
	});

	test("many are shown, then deleted, within the limit", async (t) => {
		const { skill, state, changes } = await n8n(t, {
			workflows: many(300, (n) => workflow({ id: `w${n}`, name: `x-${n}`, active: n <= 3 })),
		});
		assert.match((await skill("delete-workflows-bulk", {})).error, /active, namePattern or both/);
		assert.equal(
			(await skill("delete-workflows-bulk", { namePattern: "x", maxDelete: 2001 })).code,
			"ARG_VALIDATION_FAILED",
		);
		const shown = await skill("delete-workflows-bulk", { namePattern: "x-*" });
		assert.deepEqual([shown.dryRun, shown.count, shown.wouldDelete.length], [true, 100, 100]);
		assert.match(shown.more, /There are more/);
		assert.deepEqual(changes(), []);
		const done = await skill("delete-workflows-bulk", { active: true, dryRun: false });
		assert.deepEqual([done.dryRun, done.deletedCount, done.more], [false, 3, undefined]);
		const rest = await skill("delete-workflows-bulk", { namePattern: "x-*", maxDelete: 296, dryRun: false });
		assert.equal(rest.deletedCount, 296);
		assert.match(rest.more, /There are more/);
		assert.deepEqual(
			state.workflows.map(({ id }) => id),
			["w300"],
		);
		assert.match((await skill("delete-workflows-bulk", { namePattern: "y" })).next, /Nothing matches/);
	});

	test("what cannot be deleted is said, and trouble ends it", async (t) => {
		const refuse =
			(status) =>
			({ method, path }, response) =>
				method === "DELETE" &&
				path.endsWith("w2") &&
				response.writeHead(status, { "content-type": "application/json" }).end('{"message":"no"}');
		const one = await n8n(t, {
			workflows: many(20, (n) => workflow({ id: `w${n}`, name: "x" })),
			behaviour: refuse(400),
		});
		const done = await one.skill("delete-workflows-bulk", { namePattern: "x", dryRun: false });
		assert.equal(done.deletedCount, 19);
		assert.deepEqual(done.failed, [
			{ id: "w2", name: "x", active: false, error: "delete_workflow failed with 400: no" },
		]);
		const all = await n8n(t, {
			workflows: many(50, (n) => workflow({ id: `w${n}`, name: "x" })),
			behaviour: refuse(500),
		});
		const stopped = await all.skill("delete-workflows-bulk", { namePattern: "x", dryRun: false });
		assert.match(stopped.stopped, /500: no/);
		assert.equal(stopped.deletedCount + stopped.failed.length + stopped.notTried, 50);
		assert.ok(stopped.notTried > 0);
	});
});

describe("n8n executions and credentials", { timeout: 120_000 }, () => {
	const executions = () =>
		many(700, (n) => ({
			id: String(1001 - n),
			workflowId: n % 2 ? "w1" : "w2",
			status: n === 1 ? "running" : n % 5 ? "success" : "error",
			startedAt: null,
		}));

	test("one execution is deleted and is gone", async (t) => {
		const { skill, state } = await n8n(t, { executions: executions() });
		assert.deepEqual(await skill("delete-execution", { executionId: 996 }), {
			confirmed: true,
			deleted: { id: "996", workflowId: "w1", status: "error" },
		});
		assert.equal(state.executions.length, 699);
		for (const executionId of ["1000", "5"])
			assert.equal((await skill("delete-execution", { executionId })).isError, true);
		assert.equal((await skill("delete-execution", { executionId: "1/../../users" })).code, "ARG_VALIDATION_FAILED");
	});

	test("many are deleted by status and workflow", async (t) => {
		const { skill, state, changes } = await n8n(t, { executions: executions() });
		assert.match((await skill("delete-executions-bulk", {})).error, /status, workflowId or both/);
		assert.equal((await skill("delete-executions-bulk", { status: "running" })).code, "ARG_VALIDATION_FAILED");
		const shown = await skill("delete-executions-bulk", { status: "error", workflowId: "w1" });
		assert.deepEqual([shown.count, shown.more], [70, undefined]);
		assert.deepEqual(changes(), []);
		const told = [];
		const onProgress = (progress) => told.push(progress);
		const args = { workflowId: "w2", maxDelete: 300, dryRun: false };
		const done = await skill("delete-executions-bulk", args, { onProgress });
		assert.ok(told.some(({ total }) => total === 300));
		assert.equal(done.deletedCount, 300);
		assert.match(done.more, /There are more/);
		assert.equal(state.executions.length, 400);
	});

	test("a credential is created after its fields were asked for, and deleted", async (t) => {
		const { skill, state } = await n8n(t);
		const asked = await skill("create-credential", { type: "httpHeaderAuth" });
		assert.deepEqual([asked.created, asked.schema.required], [false, ["name", "value"]]);
		assert.match(
			(await skill("create-credential", { type: "httpHeaderAuth", name: "X" })).error,
			/needs a name and data/,
		);
		assert.equal((await skill("create-credential", { type: "nothing" })).isError, true);
		assert.deepEqual(state.credentials, []);
		const data = { name: "X-Key", value: "s3cret" };
		const made = await skill("create-credential", { type: "httpHeaderAuth", name: "Shop", data });
		assert.deepEqual(made, {
			created: true,
			confirmed: true,
			credential: { id: "c1", name: "Shop", type: "httpHeaderAuth" },
		});
		assert.deepEqual(state.credentials[0].data, data);
		const wrong = await skill("create-credential", { type: "httpHeaderAuth", name: "Shop", data: { name: "X" } });
		assert.match(JSON.stringify(wrong), /requires property/);
		assert.deepEqual(await skill("delete-credential", { credentialId: "c1" }), {
			confirmed: true,
			deleted: made.credential,
		});
		assert.equal((await skill("delete-credential", { credentialId: "c1" })).isError, true);
	});

	test("a version that does not read credentials back confirms nothing", async (t) => {
		const { skill } = await n8n(t, { old: true });
		const data = { name: "X-Key", value: "s3cret" };
		assert.equal((await skill("create-credential", { type: "httpHeaderAuth", name: "Shop", data })).confirmed, null);
		assert.equal((await skill("delete-credential", { credentialId: "c1" })).confirmed, null);
	});
});

describe("n8n data tables", { timeout: 120_000 }, () => {
	const tables = () => [
		dataTable({ id: TABLE, name: "Leads", columns: COLUMNS }),
		...many(260, (n) => dataTable({ id: `table${String(n).padStart(11, "0")}`, name: `tmp ${n}` })),
	];

	test("a row is inserted and read back, by name or id of the table", async (t) => {
		const { skill, state } = await n8n(t, { tables: tables().reverse() });
		const inserted = await skill("insert-and-verify-datatable-row", {
			column: "email",
			value: "a@x.org",
			tableName: "Leads",
			confirm: true,
		});
		assert.deepEqual([inserted.confirmed, inserted.dataTableId, inserted.row.email], [true, TABLE, "a@x.org"]);
		const numbered = await skill("insert-and-verify-datatable-row", { column: "age", value: "41", dataTableId: TABLE });
		assert.deepEqual([numbered.confirmed, numbered.row.age], [true, 41]);
		for (const [args, error] of /** @type {const} */ ([
			[{ tableName: "leads" }, /No data table is called like "leads"/],
			[{}, /either dataTableId or tableName/],
			[{ dataTableId: TABLE, column: "phone" }, /has no column phone; it has email \(string\), age \(number\)/],
			[{ dataTableId: TABLE, column: "age", value: "old" }, /400/],
		])) {
			assert.match(
				(await skill("insert-and-verify-datatable-row", { column: "email", value: 1, ...args })).error,
				error,
			);
		}
		assert.equal(state.tables.at(-1).rows.length, 2);
	});

	test("a table is created, filled and read", async (t) => {
		const { skill } = await n8n(t);
		const made = await skill("data-table-crud", { operation: "create", tableName: "People", columns: COLUMNS });
		assert.deepEqual([made.confirmed, made.dataTable.columns.length], [true, 3]);
		const rows = many(120, (n) => ({ email: `${n}@x.org`, age: n, since: "2026-01-01" }));
		const filled = await skill("data-table-crud", { operation: "insert", tableName: "People", rows });
		assert.deepEqual([filled.confirmed, filled.inserted, filled.rows.length], [true, 120, 120]);
		const table = { operation: "read", dataTableId: made.dataTable.id };
		const page = await skill("data-table-crud", { ...table, limit: 100 });
		assert.equal(page.rows.length, 100);
		const rest = await skill("data-table-crud", { ...table, limit: 100, cursor: page.nextCursor });
		assert.deepEqual([rest.rows.length, rest.nextCursor], [20, undefined]);
		const filter = { filters: [{ columnName: "age", condition: "gt", value: 118 }] };
		const found = await skill("data-table-crud", { ...table, filter });
		assert.deepEqual(
			found.rows.map(({ email }) => email),
			["119@x.org", "120@x.org"],
		);
		for (const [args, error] of /** @type {const} */ ([
			[{ operation: "create", tableName: "People", columns: COLUMNS }, /409.*already exists/],
			[{ operation: "create", dataTableId: TABLE, columns: COLUMNS }, /has a tableName/],
			[{ operation: "insert", tableName: "People" }, /insert needs rows/],
			[{ ...table, rows }, /read does not take rows/],
		])) {
			assert.match((await skill("data-table-crud", args)).error, error);
		}
	});

	test("many are shown, then deleted", async (t) => {
		const { skill, state } = await n8n(t, { tables: tables() });
		assert.equal((await skill("delete-data-tables-bulk", {})).code, "ARG_VALIDATION_FAILED");
		const shown = await skill("delete-data-tables-bulk", { namePattern: "tmp*", maxDelete: 300 });
		assert.deepEqual([shown.count, shown.wouldDelete.length, shown.notShown], [260, 100, 160]);
		const done = await skill("delete-data-tables-bulk", { namePattern: "tmp*", maxDelete: 300, dryRun: false });
		assert.equal(done.deletedCount, 260);
		assert.deepEqual(
			state.tables.map(({ name }) => name),
			["Leads"],
		);
	});
});
