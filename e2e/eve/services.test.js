// What people ask of the plugins of this repository, in the real eve: its default view, in which its own search finds every
// tool and skill, here over all plugins at once.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { withoutGh } from "../harness/gh-program.js";
import { withoutPocketBase } from "../harness/pocketbase-program.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { temporaryFolder } from "../processes/places.js";
import { COLLECTION, PLUGINS, startServices } from "../services/all.js";
import { EveApp } from "./eve-app.js";
import { startRuntimeServer } from "./runtime-server.js";

/** @typedef {import("../scripted-model/script.js").Turn} Turn */

const REPO = { owner: "octo", repo: "hello.world" };

/** @param {string} query */
const search = (query) => ({ tool_calls: [{ name: "eve__search", arguments: { query } }] });
/** @param {string} name @param {object} [input] */
const use = (name, input = {}) => ({
	name: "eve__tool",
	arguments: { name: `agent-tools__${name}`, input },
});
/** @param {string} name */
const finds = (name) => ({ last_tool_result: `"tool":"agent-tools__${name}"` });
/** What the tools said becomes the answer. @param {string[]} told what must be in it */
const answer = (...told) => ({ text: "It says {{last_tool_result}}", expect: { last_tool_result: told } });

test("people's requests in eve", { timeout: 300_000 }, async (t) => {
	const { env, ...services } = await startServices(t);
	const config = path.join(temporaryFolder("eve-services"), "agent-tools.json");
	writeFileSync(config, JSON.stringify({ plugins: onlyRepositoryPlugins(...PLUGINS) }));
	const app = await EveApp.start(t, { path: "/mcp?view=flat" });
	app.proxy.target = await startRuntimeServer(t, { env: { ...env, AGENT_TOOLS_CONFIG: config } });

	/**
	 * One request and its answer.
	 *
	 * @param {Turn[]} turns
	 * @param {"approve" | "cancel"} [consent] what the person says when asked
	 */
	async function ask(turns, consent) {
		const { message, asked, requests } = await app.chat(turns, consent);
		const results = requests.map(({ tool_result }) => tool_result).join("\n");
		assert.deepEqual(
			requests.flatMap(({ failed_expectations }) => failed_expectations),
			[],
			results,
		);
		assert.equal(requests.length, turns.length, results);
		assert.equal(asked, consent ? 1 : 0);
		return message;
	}

	await t.test("which workflows have an unauthenticated webhook", async () => {
		const find = "n8n_skill_find-workflows";
		const audit = "n8n_skill_audit-workflows";
		const message = await ask([
			search("which workflows have an unauthenticated webhook"),
			{ tool_calls: [use(find)], expect: finds(audit) },
			{ tool_calls: [use(audit)], expect: { last_tool_result: ["Newsletter sign-up", "Orders"] } },
			answer("unauthenticated-webhook"),
		]);
		assert.match(message, /Newsletter sign-up.*unauthenticated-webhook/s);
		assert.doesNotMatch(message, /Orders.*unauthenticated-webhook/s);
	});

	await t.test("summarise a repository, and again through gh", { skip: withoutGh() }, async () => {
		const byRest = services.github.received.length;
		const message = await ask([
			search("summarise a repository"),
			{ tool_calls: [use("github_skill_repo-overview", REPO)], expect: finds("github_skill_repo-overview") },
			{
				tool_calls: [use("ghcli_skill_repo-overview", REPO)],
				expect: { last_tool_result: ["Say hello", "Hello is misspelt"] },
			},
			answer("v1.0.0", "Hello is misspelt", "Greet in Spanish"),
		]);
		const hosts = new Set(services.github.received.slice(byRest).map(({ headers }) => headers.host));
		assert.deepEqual([...hosts], [new URL(services.github.url).host, "api.github.localhost"]);
		assert.match(message, /v1\.0\.0/);
	});

	await t.test("which models are installed: it is answered from what Ollama says", async () => {
		const message = await ask([
			search("which models are installed"),
			{ tool_calls: [use("ollama_list_models")], expect: finds("ollama_list_models") },
			answer("gemma3:4b", "gemma4:cloud"),
		]);
		assert.equal(services.ollama.posted("/api/tags").length, 1);
		assert.match(message, /gemma3:4b/);
	});

	await t.test("insert a record and verify it", { skip: withoutPocketBase() }, async (t) => {
		const { pocketbase } = services;
		assert.ok(pocketbase);
		const skill = "pocketbase_skill_insert-and-verify-record";
		/** @param {string} title */
		const insert = (title) => [
			search("insert a record and verify it"),
			{ tool_calls: [use(skill, { collection: COLLECTION, data: { title } })], expect: finds(skill) },
		];
		await t.test("a person who does not approve it keeps it from being sent", async () => {
			const before = pocketbase.received.length;
			await ask([...insert("Unwanted"), { text: "It was refused." }], "cancel");
			assert.equal(pocketbase.received.length, before);
			assert.deepEqual(await pocketbase.titles(), []);
		});
		await t.test("a person who approves it has it stored and confirmed", async () => {
			const message = await ask([...insert("Wanted"), answer("confirmed")], "approve");
			assert.deepEqual(await pocketbase.titles(), ["Wanted"]);
			assert.match(message, /"confirmed":true/);
		});
	});

	await t.test("two plugins in one turn", async () => {
		const message = await ask([
			{ tool_calls: [use("github_list_issues", REPO), use("tasks_list_tasks")] },
			answer("Hello is misspelt", "Write"),
		]);
		assert.match(message, /Hello is misspelt.*Write/s);
	});
});
