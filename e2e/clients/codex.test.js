// Codex, as it is published: `codex exec`, which has nobody to ask, and the app server, by which editors show its dialogs.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { clientFile, withoutProgram } from "../harness/client-programs.js";
import { NODE24 } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";
import { ScriptedModel } from "../scripted-model/scripted-model.js";
import { CodexAppServer } from "./codex-app-server.js";
import { assertPlayed, END, TOOLS, turns } from "./journey.js";
import { makePlace, serverEntry } from "./place.js";

const CODEX = clientFile("@openai/codex/bin/codex.js");
const named = (/** @type {string} */ tool) => `mcp__agent_tools/${tool}`;
const APPROVED = { default_tools_approval_mode: "approve" };

/**
 * @param {import("node:test").TestContext} t
 * @param {{way?: import("./place.js").Way, entry?: object, settings?: object, approval?: string}} how `entry`: more for
 *   Codex's entry of the server; `settings`: more for our agent-tools.json
 */
async function setUp(t, { way = "stdio", entry = APPROVED, settings, approval = "never" } = {}) {
	const place = makePlace(settings);
	const model = await ScriptedModel.start({ turns: turns(named) });
	t.after(() => model.stop());
	const { type: _, ...server } = /** @type {any} */ (await serverEntry(t, way, place));
	const home = path.join(place.home, "codex");
	mkdirSync(home);
	writeFileSync(path.join(home, "config.toml"), configuration(model.baseUrl, approval, { ...server, ...entry }));
	const start = (/** @type {string[]} */ args, input = false) =>
		new Spawned(t, NODE24, [CODEX, ...args], {
			cwd: place.folder,
			env: { ...place.env, CODEX_HOME: home },
			...(input ? { input: /** @type {const} */ ("open") } : {}),
		});
	return { ...place, model, start };
}

/**
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof setUp>[1]} [how]
 */
async function exec(t, how) {
	const { model, start } = await setUp(t, how);
	const child = start(["exec", "--skip-git-repo-check", "go"]);
	assert.equal((await child.exitWithin(120_000)).code, 0, child.output);
	assert.equal(child.stdout.trim(), END);
	return model;
}

/**
 * TOML writes these strings and lists as JSON does.
 *
 * @param {string} baseUrl
 * @param {string} approval
 * @param {object} server
 */
function configuration(baseUrl, approval, server) {
	const lines = (/** @type {object} */ table) =>
		Object.entries(table).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
	const provider = { name: "scripted", base_url: baseUrl, wire_api: "responses" };
	return [
		...lines({ model: "scripted", model_provider: "scripted", approval_policy: approval, sandbox_mode: "read-only" }),
		...lines({ check_for_update_on_startup: false }),
		"[analytics]",
		...lines({ enabled: false }),
		"[model_providers.scripted]",
		...lines(provider),
		"[mcp_servers.agent-tools]",
		...lines(server),
	].join("\n");
}

describe("codex exec", { timeout: 600_000, skip: withoutProgram("@openai/codex") }, () => {
	test("shows our tools and instructions to its model, and calls them; a question is answered with no", async (t) => {
		const model = await exec(t);
		for (const name of TOOLS.map(named)) assert.ok(model.requests[0]?.tool_names.includes(name), name);
		const ours = model.requests[0]?.body.tools.find((/** @type {any} */ { name }) => name === "mcp__agent_tools");
		assert.match(ours.description, /More tools than are listed: those of demo/);
		assertPlayed(model, { change: "refused" });
	});

	test("over HTTP", async (t) => assertPlayed(await exec(t, { way: "http" }), { change: "made" }));

	test("makes the changes that the policy allows", async (t) => {
		const settings = { policy: { tools: { "demo/create_issue": "allow" } } };
		assertPlayed(await exec(t, { settings }), { change: "allowed" });
	});

	test("does not call without default_tools_approval_mode", async (t) => {
		const model = await exec(t, { entry: {} });
		const [, discovered, called] = model.requests.map(({ tool_result }) => tool_result);
		assert.match(discovered ?? "", /agent_tools_call \{"plugin":"demo"/, "what only reads is called");
		assert.match(called ?? "", /requires approval/);
	});
});

describe("codex app-server", { timeout: 600_000, skip: withoutProgram("@openai/codex") }, () => {
	for (const [answer, change] of /** @type {const} */ ([
		["once", "made"],
		["no", "refused"],
	])) {
		test(`asks its person, who says ${answer}`, async (t) => {
			const { model, start, folder } = await setUp(t, { approval: "on-request" });
			const server = new CodexAppServer(start(["app-server"], true));
			const questions = await server.turn("go", folder, { action: "accept", content: { answer } });
			assertPlayed(model, { change });
			assert.equal(questions.length, 1);
			assert.equal(questions[0].serverName, "agent-tools");
			assert.match(questions[0].message, /create_issue of demo may change something/);
			assert.deepEqual(questions[0].requestedSchema.properties.answer.enum, ["once", "session", "always", "no"]);
		});
	}
});
