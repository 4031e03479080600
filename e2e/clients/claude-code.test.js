// Claude Code, as it is published, headless and without a person.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { clientFile, withoutProgram } from "../harness/client-programs.js";
import { NODE24 } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";
import { ScriptedModel } from "../scripted-model/scripted-model.js";
import { assertPlayed, END, TOOLS, turns } from "./journey.js";
import { makePlace, SERVER, serverEntry, writeJson } from "./place.js";

const CLAUDE = clientFile("@anthropic-ai/claude-code/cli-wrapper.cjs");
const named = (/** @type {string} */ tool) => `mcp__agent-tools__${tool}`;
const OURS = TOOLS.map(named);
const ALWAYS = { alwaysLoad: true };

/** What Claude Code runs instead of showing a dialog; it keeps the question, and says yes. */
const SAYS_YES = `cat > question.json; echo '${JSON.stringify({
	hookSpecificOutput: { hookEventName: "Elicitation", action: "accept", content: { answer: "once" } },
})}'`;
const YES = { hooks: { Elicitation: [{ hooks: [{ type: "command", command: SAYS_YES }] }] } };

/**
 * @param {import("node:test").TestContext} t
 * @param {{way?: import("./place.js").Way, entry?: object, settings?: object, policy?: object,
 *   first?: import("../scripted-model/script.js").Turn[]}} how
 */
async function run(t, { way = "stdio", entry = {}, settings = {}, policy = {}, first } = {}) {
	const place = makePlace(policy);
	const model = await ScriptedModel.start({ turns: turns(named, { first }) });
	t.after(() => model.stop());
	const server = { ...(await serverEntry(t, way, place)), ...entry };
	const files = {
		servers: writeJson(path.join(place.home, "servers.json"), { mcpServers: { "agent-tools": server } }),
		settings: writeJson(path.join(place.home, "settings.json"), settings),
	};
	const only = ["--mcp-config", files.servers, "--strict-mcp-config", "--settings", files.settings];
	const args = [CLAUDE, "-p", "go", ...only, "--allowedTools", OURS.join(",")];
	const child = new Spawned(t, NODE24, args, { cwd: place.folder, env: environment(place.env, model) });
	assert.equal((await child.exitWithin(120_000)).code, 0, child.output);
	assert.equal(child.stdout.trim(), END);
	return { ...place, model, tools: model.requests.map(({ tool_names }) => tool_names) };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {ScriptedModel} [model]
 */
function environment(env, model) {
	return {
		...env,
		...(model && { ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ""), ANTHROPIC_API_KEY: "unused" }),
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		DISABLE_AUTOUPDATER: "1",
		DISABLE_TELEMETRY: "1",
		DISABLE_ERROR_REPORTING: "1",
	};
}

describe("Claude Code", { timeout: 600_000, skip: withoutProgram("@anthropic-ai/claude-code") }, () => {
	test("shows our three tools from the beginning with alwaysLoad, and a yes of the user's makes a change", async (t) => {
		const { model, tools, folder } = await run(t, { entry: ALWAYS, settings: YES });
		assertPlayed(model, { change: "made" });
		for (const name of OURS) assert.ok(tools[0]?.includes(name), `${name}: ${tools[0]}`);
		const question = JSON.parse(readFileSync(path.join(folder, "question.json"), "utf8"));
		assert.equal(question.mcp_server_name, "agent-tools");
		assert.match(question.message, /create_issue of demo may change something/);
		assert.deepEqual(question.requested_schema.properties.answer.enum, ["once", "session", "always", "no"]);
	});

	test("without it, names them, and loads them by its own search", async (t) => {
		const search = { tool_calls: [{ name: "ToolSearch", arguments: { query: `select:${OURS.join(",")}` } }] };
		const policy = { policy: { tools: { "demo/create_issue": "allow" } } };
		const { model, tools } = await run(t, { first: [search], policy });
		const [asked, loaded] = model.requests.map(({ body }) => JSON.stringify(body.messages));
		for (const name of OURS) {
			assert.equal(tools[0]?.includes(name), false, name);
			assert.ok(asked?.includes(name), `${name} is not named`);
			assert.ok(loaded?.includes(`"tool_name":"${name}"`), `${name} is not loaded: ${loaded?.slice(-2000)}`);
		}
		assert.match(asked ?? "", /More tools than are listed: those of demo/, "our instructions");
		assertPlayed(model, { change: "allowed", before: 1 });
	});

	test("connects to what `claude mcp add` and `add-json` have written down", async (t) => {
		const { folder, env } = makePlace();
		const mcp = async (/** @type {string[]} */ ...args) => {
			const child = new Spawned(t, NODE24, [CLAUDE, "mcp", ...args], { cwd: folder, env: environment(env) });
			assert.equal((await child.exitWithin(120_000)).code, 0, child.output);
			return child.stdout;
		};
		await mcp("add", "agent-tools", "--", SERVER.command, ...SERVER.args);
		await mcp("add-json", "--scope", "user", "ever-loaded", JSON.stringify({ ...SERVER, ...ALWAYS }));
		const listed = await mcp("list");
		for (const name of ["agent-tools", "ever-loaded"]) assert.match(listed, new RegExp(`${name}: .*Connected`));
	});

	test("headless it answers no question, and then nothing is changed", async (t) => {
		const { model } = await run(t, { entry: ALWAYS });
		assertPlayed(model, { change: "refused" });
	});

	for (const [settings, change] of /** @type {const} */ ([
		[{}, "refused"],
		[YES, "made"],
	])) {
		test(`over HTTP it asks as well: ${change}`, async (t) => {
			const { model } = await run(t, { way: "http", entry: ALWAYS, settings });
			assertPlayed(model, { change });
		});
	}
});
