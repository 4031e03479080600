// Each real client is asked something, and its model, which plays a script, finds the service by our tools.

import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { EveApp } from "../../eve/eve-app.js";
import { ROOT } from "../../harness/paths.js";
import { e2eModule } from "../../processes/places.js";
import { ScriptedModel } from "../../scripted-model/scripted-model.js";

/** @typedef {import("./reader.js").Reader} Reader */

/** A tool of the service that the page begins with. */
const FOUND = /create_entities/;

/**
 * A model that searches by a tool of ours.
 *
 * @param {Reader} reader
 * @param {string} name what the client calls it
 * @param {object} args
 */
async function searching(reader, name, args) {
	const model = await ScriptedModel.start({ turns: [{ tool_calls: [{ name, arguments: args }] }, { text: "done" }] });
	reader.testContext.after(() => model.stop());
	return {
		baseUrl: model.baseUrl,
		found() {
			const [asked, answered] = model.requests;
			assert.ok(asked?.tool_names.includes(name), `${name} is not among ${asked?.tool_names}`);
			assert.match(answered?.tool_result ?? "", FOUND);
		},
	};
}

const QUERY = { query: "create entities in the knowledge graph" };

/** @param {Reader} reader */
export async function byPi(reader) {
	const model = await searching(reader, "agent_tools_memory_discover", QUERY);
	const models = [{ id: "scripted", contextWindow: 200_000, maxTokens: 8192 }];
	const scripted = { baseUrl: model.baseUrl, api: "openai-completions", apiKey: "unused", models };
	writeFileSync(reader.path(".pi/agent/models.json"), JSON.stringify({ providers: { scripted } }));
	await reader.runs("pi", ["-p", "--no-session", "--provider", "scripted", "--model", "scripted", "go"]);
	model.found();
}

/** @param {Reader} reader */
export async function byClaudeCode(reader) {
	const name = "mcp__agent-tools__agent_tools_discover";
	const model = await searching(reader, name, QUERY);
	await reader.runs("claude", ["-p", "go", "--allowedTools", name], {
		ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ""),
		ANTHROPIC_API_KEY: "unused",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		DISABLE_AUTOUPDATER: "1",
	});
	model.found();
}

/** @param {Reader} reader */
export async function byCodex(reader) {
	const model = await searching(reader, "mcp__agent_tools/agent_tools_discover", QUERY);
	const settings = {
		model: "scripted",
		model_provider: "scripted",
		"model_providers.scripted": `{ name = "scripted", base_url = "${model.baseUrl}", wire_api = "responses" }`,
		check_for_update_on_startup: "false",
		"analytics.enabled": "false",
	};
	const more = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
	await reader.runs("codex", ["exec", "--skip-git-repo-check", ...more, "go"]);
	model.found();
}

/** @param {Reader} reader */
export async function byHermes(reader) {
	const model = await searching(reader, "mcp__agent_tools__agent_tools_discover", QUERY);
	const settings = {
		provider: "custom",
		base_url: model.baseUrl,
		api_key: "unused",
		default: "scripted",
		context_length: 200_000,
	};
	appendFileSync(reader.path(".hermes/config.yaml"), `model: ${JSON.stringify(settings)}\n`);
	await reader.runs("hermes", ["chat", "--quiet", "--query", "go"]);
	model.found();
}

/** The agent of the kit, without its connection, and what it depends on. @param {Reader} reader */
export async function withEveAgent({ work }) {
	cpSync(path.join(ROOT, "integrations/eve/example"), work, { recursive: true });
	rmSync(path.join(work, "agent/connections"), { recursive: true });
	for (const name of ["eve", "ai", "@ai-sdk/openai-compatible"]) {
		const installed = path.join(work, "node_modules", name);
		mkdirSync(path.dirname(installed), { recursive: true });
		symlinkSync(e2eModule(name), installed);
	}
}

/** @param {Reader} reader */
export async function byEve(reader) {
	const app = await EveApp.in(reader.testContext, reader.work);
	const search = { tool_calls: [{ name: "eve__search", arguments: { query: "entities" } }] };
	const { requests } = await app.chat([search, { text: "done" }]);
	assert.match(requests[1]?.tool_result ?? "", FOUND);
}
