// Hermes, an agent in Python, which takes a question for one of yes or no.

import assert from "node:assert/strict";
import path from "node:path";
import { describe, test } from "node:test";
import { HERMES } from "../harness/hermes-program.js";
import { Spawned } from "../processes/spawned.js";
import { ScriptedModel } from "../scripted-model/scripted-model.js";
import { assertPlayed, END, TOOLS, turns } from "./journey.js";
import { makePlace, serverEntry, writeJson } from "./place.js";

const named = (/** @type {string} */ tool) => `mcp__agent_tools__${tool}`;

/**
 * @param {import("node:test").TestContext} t
 * @param {{way?: import("./place.js").Way, says?: string, entry?: object, settings?: object}} how `says`: what its
 *   person types; `entry`: more for its entry of the server; `settings`: more for our agent-tools.json
 */
async function run(t, { way = "stdio", says = "", entry = {}, settings } = {}) {
	const place = makePlace(settings);
	const model = await ScriptedModel.start({ turns: turns(named) });
	t.after(() => model.stop());
	const home = path.join(place.home, ".hermes");
	const { type: _, ...server } = /** @type {any} */ (await serverEntry(t, way, place));
	// JSON is YAML.
	writeJson(path.join(home, "config.yaml"), {
		model: {
			provider: "custom",
			base_url: model.baseUrl,
			api_key: "unused",
			default: "scripted",
			context_length: 200_000,
		},
		mcp_servers: { "agent-tools": { ...server, ...entry } },
	});
	const child = new Spawned(t, HERMES.program("hermes"), ["chat", "--quiet", "--query", "go"], {
		cwd: place.folder,
		env: { ...place.env, HERMES_HOME: home },
		input: "open",
	});
	child.write(says);
	child.endInput();
	assert.equal((await child.exitWithin(180_000)).code, 0, child.output);
	assert.ok(child.stdout.includes(END), child.output);
	for (const name of TOOLS.map(named)) assert.ok(model.requests[0]?.tool_names.includes(name), name);
	return { model, stdout: child.stdout };
}

describe("Hermes", { timeout: 900_000, skip: HERMES.missing }, () => {
	test("lists, finds, calls and runs; its person is shown the question, and denies", async (t) => {
		const { model, stdout } = await run(t, { says: "d\n" });
		assert.match(stdout, /create_issue of demo may change something/);
		assertPlayed(model, { change: "refused" });
	});

	// It accepts the form without filling it out, which says nothing about for how long.
	test("its yes has no answer in it, so nothing is changed", async (t) => {
		const { model, stdout } = await run(t, { says: "o\n" });
		assert.match(stdout, /Allowed once/);
		assertPlayed(model, { change: "refused" });
	});

	test("without its questions, confirm suffices", async (t) => {
		const { model } = await run(t, { entry: { elicitation: { enabled: false } } });
		assertPlayed(model, { change: "made" });
	});

	test("makes the changes that the policy allows", async (t) => {
		const { model } = await run(t, { settings: { policy: { tools: { "demo/create_issue": "allow" } } } });
		assertPlayed(model, { change: "allowed" });
	});

	test("over HTTP", async (t) => {
		const { model } = await run(t, { way: "http" });
		assertPlayed(model, { change: "made" });
	});
});
