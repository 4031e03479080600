// What people ask of the plugins of this repository, in the real Pi and in the view that is the default there: one Pi, and
// the services that the plugins are tested against.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutGh } from "../harness/gh-program.js";
import { withoutPocketBase } from "../harness/pocketbase-program.js";
import { Scripts } from "../scripted-model/script.js";
import { COLLECTION, PLUGINS, startServices } from "../services/all.js";
import { PiRun } from "./pi-run.js";

/** @typedef {import("../scripted-model/script.js").Turn} Turn */

const REPO = { owner: "octo", repo: "hello.world" };
const NO = "No";
const ONCE = "Yes, this once";

/** @param {string} plugin @param {string} query */
const discover = (plugin, query) => ({ name: `agent_tools_${plugin}_discover`, arguments: { query } });
/** @param {string} plugin @param {string} toolName @param {object} [args] */
const call = (plugin, toolName, args = {}) => ({
	name: `agent_tools_${plugin}_call`,
	arguments: { toolName, arguments: args },
});
/** @param {string} plugin @param {string} skill @param {object} [args] @param {object} [more] */
const runSkill = (plugin, skill, args = {}, more = {}) => ({
	name: `agent_tools_${plugin}_run_skill`,
	arguments: { skill, arguments: args, ...more },
});
/** What the tools said becomes the answer. @param {string[]} told what must be in it */
const answer = (...told) => ({
	text: "It says {{last_tool_result}}",
	expect: { last_tool_result: told, no_tool_result: '"isError":true' },
});

test("people's requests in Pi", { timeout: 300_000 }, async (t) => {
	const { env, ...services } = await startServices(t);
	/** @type {Turn[][]} */
	const conversations = [];
	const scripts = new Scripts((name) => ({ turns: conversations[Number(name)] ?? [] }));
	const run = await PiRun.start(t, { scripts, mode: "rpc", plugins: PLUGINS, env });

	/**
	 * One request and its answer. Returns the last results of tools that the model was given.
	 *
	 * @param {string} request
	 * @param {Turn[]} turns
	 * @param {string} [consent] what the person says when asked
	 */
	async function ask(request, turns, consent) {
		const [asked, shown] = [run.model.requests.length, run.dialogs.length];
		const said = run.say(`${request}? script:${conversations.push(turns) - 1}`);
		if (consent) run.answerTo(await run.dialog(shown + 1), consent);
		await said;
		const requests = run.model.requests.slice(asked);
		const results = requests.map(({ tool_result }) => tool_result);
		assert.deepEqual(
			requests.flatMap(({ failed_expectations }) => failed_expectations),
			[],
			results.join("\n"),
		);
		assert.equal(requests.length, turns.length);
		assert.equal(run.dialogs.length - shown, consent ? 1 : 0);
		return results.at(-1) ?? "";
	}

	await t.test("which workflows have an unauthenticated webhook", async () => {
		const audited = await ask("Which workflows have an unauthenticated webhook", [
			{ tool_calls: [discover("n8n", "which workflows have an unauthenticated webhook")] },
			{ tool_calls: [runSkill("n8n", "find-workflows")], expect: { last_tool_result: "audit-workflows" } },
			{
				tool_calls: [runSkill("n8n", "audit-workflows")],
				expect: { last_tool_result: ["Newsletter sign-up", "Orders"] },
			},
			answer("unauthenticated-webhook"),
		]);
		const open = JSON.parse(audited).workflows.filter(({ findings }) =>
			findings.some(({ rule }) => rule === "unauthenticated-webhook"),
		);
		assert.deepEqual(
			open.map(({ name }) => name),
			["Newsletter sign-up"],
		);
		assert.match(run.answer, /Newsletter sign-up/);
	});

	await t.test(
		"summarise a repository, and again through gh, to which the first leads",
		{ skip: withoutGh() },
		async () => {
			const byRest = services.github.received.length;
			await ask("Summarise the repository octo/hello.world", [
				{ tool_calls: [discover("github", "summarise a repository")] },
				{ tool_calls: [discover("github", "repo-overview")], expect: { last_tool_result: '{"skill":"repo-overview"' } },
				{
					tool_calls: [runSkill("github", "repo-overview", REPO)],
					expect: { last_tool_result: 'or agent_tools_ghcli_run_skill {"skill":"repo-overview"' },
				},
				{
					tool_calls: [runSkill("ghcli", "repo-overview", REPO)],
					expect: { last_tool_result: ["Say hello", "Hello is misspelt"] },
				},
				answer("v1.0.0", "Hello is misspelt", "Greet in Spanish"),
			]);
			const hosts = new Set(services.github.received.slice(byRest).map(({ headers }) => headers.host));
			assert.deepEqual([...hosts], [new URL(services.github.url).host, "api.github.localhost"]);
			assert.match(run.answer, /v1\.0\.0/);
		},
	);

	await t.test("which models are installed: it is answered from what Ollama says", async () => {
		await ask("Which models are installed", [
			{ tool_calls: [discover("ollama", "which models are installed")] },
			{ tool_calls: [call("ollama", "list_models")], expect: { last_tool_result: '"toolName":"list_models"' } },
			answer("gemma3:4b", "gemma4:cloud"),
		]);
		assert.equal(services.ollama.posted("/api/tags").length, 1);
		assert.match(run.answer, /gemma3:4b/);
	});

	await t.test("insert a record and verify it", { skip: withoutPocketBase() }, async (t) => {
		const { pocketbase } = services;
		assert.ok(pocketbase);
		/** @param {string} title @param {Turn} end */
		const insert = (title, end) => [
			{ tool_calls: [discover("pocketbase", "insert a record and verify it")] },
			{
				tool_calls: [
					runSkill(
						"pocketbase",
						"insert-and-verify-record",
						{ collection: COLLECTION, data: { title } },
						{ confirm: true },
					),
				],
				expect: { last_tool_result: "insert-and-verify-record" },
			},
			end,
		];
		await t.test("a person who says no keeps it from being sent", async () => {
			const before = pocketbase.received.length;
			const refused = { text: "It was refused.", expect: { last_tool_result: "CONSENT_DENIED" } };
			await ask("Insert a record", insert("Unwanted", refused), NO);
			assert.equal(pocketbase.received.length, before);
			assert.deepEqual(await pocketbase.titles(), []);
		});
		await t.test("a person who says yes has it stored and confirmed", async () => {
			await ask("Insert a record", insert("Wanted", answer('"confirmed":true')), ONCE);
			assert.deepEqual(await pocketbase.titles(), ["Wanted"]);
			assert.match(run.answer, /"confirmed":true/);
		});
	});

	await t.test("two plugins in one turn", async () => {
		await ask("Which issues and which tasks are open", [
			{ tool_calls: [call("github", "list_issues", REPO), call("tasks", "list_tasks")] },
			answer("Hello is misspelt", '"title":"Write"'),
		]);
		assert.match(run.answer, /Hello is misspelt.*"title":"Write"/s);
	});

	run.child.endInput();
	assert.equal((await run.child.exitWithin()).code, 0, run.child.output);
	assert.deepEqual(await run.child.watch.survivors(), []);
});
