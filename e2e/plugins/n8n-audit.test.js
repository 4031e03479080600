import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { workflow } from "../services/n8n/workflows.js";
import { KEY, startN8n } from "../services/n8n.js";
import { openBundled } from "./bundled.js";

const TOKEN = `sk-${"a1".repeat(12)}`;
const LONG_AGO = "2020-01-01T00:00:00.000Z";
const HANDLED = { executionTimeout: 60, errorWorkflow: "w9" };

/**
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof startN8n>[1]} service
 */
async function auditor(t, service) {
	const server = await startN8n(t, service);
	const { skillUnasked } = await openBundled(t, "n8n", { N8N_URL: server.url, N8N_API_KEY: KEY });
	return { server, find: skillUnasked, audit: (args = {}) => skillUnasked("audit-workflows", args) };
}

const node = (name, type, parameters = {}, more = {}) => ({
	name,
	type: type.includes(".") ? type : `n8n-nodes-base.${type}`,
	typeVersion: 1,
	parameters,
	...more,
});
/** Connections from each name to the next. */
const chain = (...names) =>
	Object.fromEntries(
		names.slice(1).map((to, index) => [names[index], { main: [[{ node: to, type: "main", index: 0 }]] }]),
	);

/** What each workflow is, and what of it is found: the rule, how bad it is, and the nodes. */
const AUDITED = /** @type {[string, Parameters<typeof workflow>[0], [string, string, string[]?][]][]} */ ([
	[
		"nothing wrong",
		{
			active: true,
			nodes: [
				node("In", "webhook", { path: "a", authentication: "headerAuth" }),
				node("Get", "httpRequest", {
					url: "={{ $json.url }}",
					headerParameters: { parameters: [{ name: "Authorization", value: "=Bearer {{ $json.token }}" }] },
				}),
				node("Note", "stickyNote", { content: "password: see the wiki" }),
			],
			connections: chain("In", "Get"),
			settings: HANDLED,
		},
		[],
	],
	[
		"open entrances",
		{
			active: true,
			nodes: [
				node("In", "webhook", { path: "a" }),
				node("Form", "formTrigger", { authentication: "none" }),
				node("Chat", "@n8n/n8n-nodes-langchain.chatTrigger", { public: true }),
				node("Private", "@n8n/n8n-nodes-langchain.chatTrigger"),
				node("Off", "webhook", {}, { disabled: true }),
				node("End", "noOp"),
			],
			connections: {
				...chain("In", "End"),
				...chain("Form", "End"),
				...chain("Chat", "End"),
				...chain("Private", "End"),
				...chain("Off", "End"),
			},
			settings: HANDLED,
		},
		[
			["unauthenticated-webhook", "high", ["In", "Form", "Chat"]],
			["disabled-node", "low", ["Off"]],
		],
	],
	[
		"an open webhook of what is not published",
		{ nodes: [node("In", "webhook")], settings: HANDLED, updatedAt: LONG_AGO },
		[["unauthenticated-webhook", "low", ["In"]]],
	],
	[
		"secrets",
		{
			nodes: [
				node("Start", "manualTrigger"),
				node("Http", "httpRequest", {
					headerParameters: {
						parameters: [
							{ name: "X", value: "1" },
							{ name: "X-Api-Key", value: "abcd1234" },
						],
					},
				}),
				node("Set", "set", {
					assignments: [{ name: "text", value: `use ${TOKEN}` }],
					password: "={{ $env.PASSWORD }}",
					apiKey: "$secrets",
				}),
				node("Db", "postgres", { query: "select 1", url: "postgres://app:hunter2@db/x" }),
			],
			connections: chain("Start", "Http", "Set", "Db"),
			settings: HANDLED,
			updatedAt: LONG_AGO,
		},
		[
			["hard-coded-secret", "high", ["Http"]],
			["hard-coded-secret", "high", ["Set"]],
			["hard-coded-secret", "high", ["Db"]],
		],
	],
	[
		"unsafe and deprecated nodes",
		{
			nodes: [
				node("Start", "manualTrigger"),
				node("Run", "executeCommand"),
				node("Code", "code"),
				node("Old", "function"),
			],
			connections: chain("Start", "Run", "Code", "Old"),
			settings: HANDLED,
			updatedAt: LONG_AGO,
		},
		[
			["unsafe-node", "high", ["Run"]],
			["unsafe-node", "low", ["Code", "Old"]],
			["deprecated-node", "low", ["Old"]],
		],
	],
	[
		"what is not connected",
		{
			nodes: [
				node("Start", "manualTrigger"),
				node("Idle", "scheduleTrigger"),
				node("Agent", "@n8n/n8n-nodes-langchain.agent"),
				node("Model", "@n8n/n8n-nodes-langchain.lmChatOpenAi"),
				node("Lost", "noOp"),
			],
			connections: {
				...chain("Start", "Agent"),
				Model: { ai_languageModel: [[{ node: "Agent" }]] },
				Lost: { main: [null, []] },
			},
			settings: HANDLED,
			updatedAt: LONG_AGO,
		},
		[["unconnected-node", "medium", ["Idle", "Lost"]]],
	],
	[
		"no care taken",
		{ active: true, nodes: [node("T", "scheduleTrigger")], settings: { executionTimeout: -1 } },
		[
			["missing-error-workflow", "medium"],
			["no-timeout", "low"],
		],
	],
	[
		"the error workflow itself",
		{ active: true, nodes: [node("T", "errorTrigger")], settings: { executionTimeout: 5 } },
		[],
	],
	[
		"edited and left",
		{ settings: HANDLED, updatedAt: new Date(Date.now() - 3_600_000).toISOString() },
		[["inactive-recently-edited", "info"]],
	],
	[
		"published in another version",
		{
			active: true,
			versionId: "v2",
			nodes: [node("T", "scheduleTrigger"), node("Run", "executeCommand")],
			activeVersion: { nodes: [node("T", "scheduleTrigger")], connections: {} },
			settings: HANDLED,
		},
		[["unpublished-changes", "info"]],
	],
]);

describe("n8n audits", { timeout: 120_000 }, () => {
	test("what is wrong with a workflow", async (t) => {
		const workflows = AUDITED.map(([name, fields], index) => workflow({ id: `w${index}`, name, ...fields }));
		const archived = workflow({ id: "w99", name: "archived", isArchived: true });
		const { audit, server } = await auditor(t, { workflows: [...workflows, archived] });
		const all = await audit({ all: true });
		assert.equal(all.workflowsAudited, AUDITED.length);
		const found = new Map(all.workflows.map(({ name, findings }) => [name, findings]));
		for (const [name, , expected] of AUDITED) {
			const findings = (found.get(name) ?? []).map(({ rule, severity, nodes }) =>
				nodes ? [rule, severity, nodes] : [rule, severity],
			);
			assert.deepEqual(findings, expected, name);
		}
		const [http, set, db] = found.get("secrets");
		assert.match(http.message, /headerParameters\.parameters\[1\]\.value;/);
		assert.match(set.message, /at assignments\[0\]\.value;/);
		assert.match(db.message, /at url;/);
		for (const secret of ["abcd1234", TOKEN, "hunter2"]) assert.ok(!JSON.stringify(all).includes(secret), secret);

		const page = await audit({ pageSize: 2 });
		assert.deepEqual(
			[page.total, page.pages, page.nextPage, page.workflows.map(({ name }) => name)],
			[8, 4, 2, ["secrets", "unsafe and deprecated nodes"]],
		);
		const { bySeverity, byRule, worst, active } = await audit({ mode: "summary" });
		assert.deepEqual(bySeverity, { high: 5, low: 5, medium: 2, info: 2 });
		assert.equal(byRule["hard-coded-secret"], 3);
		assert.deepEqual(worst[0], { id: "w3", name: "secrets", high: 3 });
		assert.equal(active, 5);
		assert.ok(server.received.every(({ method }) => method === "GET"));
	});

	test("an export has no secrets, and says that some are hidden", async (t) => {
		const workflows = AUDITED.map(([name, fields], index) => workflow({ id: `w${index}`, name, ...fields }));
		const { audit } = await auditor(t, { workflows });
		const exported = await audit({ mode: "export", all: true });
		const { nodes, secretsHidden, connections } = exported.workflows[3];
		assert.equal(secretsHidden, 3);
		assert.deepEqual(nodes[1].parameters.headerParameters.parameters, [
			{ name: "X", value: "1" },
			{ name: "X-Api-Key", value: "[secret]" },
		]);
		assert.equal(nodes[2].parameters.password, "={{ $env.PASSWORD }}");
		assert.deepEqual(Object.keys(connections), ["Start", "Http", "Set"]);
		assert.equal(exported.workflows[0].secretsHidden, undefined);
		assert.equal((await audit({ mode: "export", pageSize: 3 })).workflows.length, 3);
	});

	test("n8n's own audit is given, its long lists cut and counted", async (t) => {
		const location = Array.from({ length: 25 }, (_, index) => ({
			kind: "credential",
			id: `c${index}`,
			name: `C${index}`,
		}));
		const section = { title: "Credentials not used", description: "d", recommendation: "r", location };
		const reports = {
			"Credentials Risk Report": { risk: "credentials", sections: [section] },
			"Instance Risk Report": { risk: "instance", sections: [{ ...section, location: undefined, settings: {} }] },
		};
		const { audit } = await auditor(t, { audit: reports });
		const [credentials, instance] = (await audit({ mode: "nativeAudit" })).reports;
		assert.deepEqual(
			[
				credentials.report,
				credentials.sections[0].count,
				credentials.sections[0].location.length,
				credentials.sections[0].notShown,
			],
			["Credentials Risk Report", 25, 20, 5],
		);
		assert.equal(instance.sections[0].count, 0);
		const clean = await auditor(t, {});
		assert.deepEqual((await clean.audit({ mode: "nativeAudit" })).reports, []);
	});

	test("executions by workflow, the failing ones first", async (t) => {
		const executions = Array.from({ length: 1100 }, (_, index) => ({
			id: String(2000 - index),
			workflowId: index % 4 ? "w1" : "w2",
			status: index % 4 ? "success" : "error",
			startedAt: "2026-12-01T00:00:00.000Z",
		}));
		const workflows = [
			workflow({ id: "w1", name: "Good", active: true }),
			workflow({ id: "w2", name: "Bad", active: true }),
			workflow({ id: "w3", name: "Idle", active: true }),
		];
		const { audit } = await auditor(t, { executions, workflows });
		const answer = await audit({ mode: "executions" });
		assert.deepEqual([answer.executionsLookedAt, answer.byStatus], [1000, { error: 250, success: 750 }]);
		assert.match(answer.incomplete, /newest 1000/);
		assert.deepEqual(answer.workflows, [
			{
				id: "w2",
				name: "Bad",
				runs: 250,
				failed: 250,
				lastFailure: { executionId: "2000", at: "2026-12-01T00:00:00.000Z" },
			},
			{ id: "w1", name: "Good", runs: 750, failed: 0 },
		]);
		assert.deepEqual(answer.publishedWithoutRun, [{ id: "w3", name: "Idle" }]);
	});

	test("which credentials are used, and where n8n does not list them", async (t) => {
		const uses = (id, name) => ({ credentials: { httpHeaderAuth: { id, name } } });
		const workflows = [
			workflow({
				id: "w1",
				name: "A",
				nodes: [node("x", "httpRequest", {}, uses("c1", "Shop")), node("y", "httpRequest", {}, uses("c9", "Gone"))],
			}),
		];
		const credentials = [
			{ id: "c1", name: "Shop", type: "httpHeaderAuth" },
			{ id: "c2", name: "Spare", type: "httpHeaderAuth" },
		];
		const { audit } = await auditor(t, { workflows, credentials });
		const { source, unused, missing, ...answer } = await audit({ mode: "credentials" });
		assert.deepEqual([unused, missing.map(({ id }) => id)], [1, ["c9"]]);
		assert.deepEqual(answer.credentials, [
			{ id: "c2", name: "Spare", type: "httpHeaderAuth", usedBy: [] },
			{ id: "c1", name: "Shop", type: "httpHeaderAuth", usedBy: [{ id: "w1", name: "A" }] },
		]);
		assert.match(source, /credentials of the instance/);
		const forbidden = ({ path }, response) =>
			path === "/api/v1/credentials" &&
			response.writeHead(403, { "content-type": "application/json" }).end('{"message":"Forbidden"}');
		for (const service of [{ old: true }, { behaviour: forbidden }]) {
			const other = await auditor(t, { workflows, ...service });
			const known = await other.audit({ mode: "credentials" });
			assert.deepEqual([known.unused, known.credentials.map(({ id }) => id)], [null, ["c1", "c9"]]);
			assert.match(known.source, /only the nodes/);
		}
	});

	test("node types are found among those in use", async (t) => {
		const workflows = [
			workflow({
				id: "w1",
				name: "A",
				nodes: [
					node("Ask Stripe", "httpRequest", { apiKey: "abcd1234" }),
					node("Post", "slack", {}, { typeVersion: 2 }),
				],
			}),
			workflow({ id: "w2", name: "B", nodes: [node("Get", "httpRequest", {}, { typeVersion: 4 })] }),
		];
		const { find } = await auditor(t, { workflows });
		const { source, nodeTypes } = await find("find-node-types", { queries: ["HTTP", "stripe"] });
		assert.match(source, /2 workflows; types that none uses are not known here/);
		assert.deepEqual(nodeTypes, [
			{
				id: "n8n-nodes-base.httpRequest",
				versions: [1, 4],
				nodes: 2,
				workflows: [
					{ id: "w1", name: "A" },
					{ id: "w2", name: "B" },
				],
				example: {
					name: "Ask Stripe",
					type: "n8n-nodes-base.httpRequest",
					typeVersion: 1,
					parameters: { apiKey: "[secret]" },
				},
			},
		]);
		const byId = await find("find-node-types", { nodeIds: ["n8n-nodes-base.slack", "n8n-nodes-base.gmail"] });
		assert.deepEqual(
			[byId.nodeTypes.map(({ id }) => id), byId.unknown],
			[["n8n-nodes-base.slack"], ["n8n-nodes-base.gmail"]],
		);
		for (const args of [{}, { queries: ["a"], nodeIds: ["b"] }])
			assert.match((await find("find-node-types", args)).error, /either queries or nodeIds/);
	});
});
