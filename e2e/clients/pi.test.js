// The real Pi with our server instead of our extension: by Pi's own MCP client, and by pi-mcp-adapter.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clientFile, withoutClients } from "../harness/client-programs.js";
import { PiRun } from "../pi/pi-run.js";
import { assertPlayed, END, TOOLS, turns } from "./journey.js";
import { makePlace, SERVER, serverEntry } from "./place.js";

const LIMIT = { timeout: 600_000 };
const search = (/** @type {string} */ name, /** @type {object} */ args) => ({
	tool_calls: [{ name, arguments: args }],
});

/**
 * Pi's run from its start to its end, without our extension.
 *
 * @param {import("node:test").TestContext} t
 * @param {import("../pi/pi-run.js").PiOptions} options
 */
async function play(t, options) {
	const { run, exit } = await PiRun.once(t, { extensions: [], plugins: ["demo"], ...options });
	assert.equal(exit.code, 0, run.child.output);
	assert.equal(run.answer, END);
	return run.model;
}

describe("Pi's own MCP client", LIMIT, () => {
	const named = (/** @type {string} */ tool) => `mcp__agent_tools__${tool}`;

	test("declares our three tools with the exposure direct, and calls them; it can ask nobody", async (t) => {
		const mcpServers = { "agent-tools": { ...SERVER, exposure: "direct" } };
		const model = await play(t, { turns: turns(named), mcpServers });
		for (const name of TOOLS.map(named)) assert.ok(model.requests[0]?.tool_names.includes(name), name);
		assertPlayed(model, { change: "made" });
	});

	test("finds them by its search with the exposure deferred", async (t) => {
		const mcpServers = { "agent-tools": { ...SERVER, exposure: "deferred" } };
		const first = [search("tool_search", { query: "find tools and skills of demo" })];
		const model = await play(t, { turns: turns(named, { first }), mcpServers });
		const [before, after] = model.requests.map(({ tool_names }) => tool_names);
		for (const name of TOOLS.map(named)) {
			assert.equal(before?.includes(name), false, name);
			assert.ok(after?.includes(name), name);
		}
		assertPlayed(model, { change: "made", before: 1 });
	});

	test("over HTTP", async (t) => {
		const { url } = /** @type {any} */ (await serverEntry(t, "http", makePlace()));
		const mcpServers = { "agent-tools": { url, exposure: "direct" } };
		assertPlayed(await play(t, { turns: turns(named), mcpServers }), { change: "made" });
	});
});

describe("pi-mcp-adapter", { ...LIMIT, skip: withoutClients() }, () => {
	const extensions = [clientFile("pi-mcp-adapter")];
	const mcpServers = { "agent-tools": SERVER };
	const first = [search("mcp", { search: "tools and skills of demo" })];
	const script = turns(() => "mcp", {
		first,
		wrap: ({ tool, arguments: args }) => ({ tool: `agent-tools_${tool}`, args }),
	});

	test("finds our tools by its search, and calls them through its proxy", async (t) => {
		const model = await play(t, { turns: script, extensions, mcpServers });
		assert.match(model.requests[1]?.tool_result ?? "", /agent-tools_agent_tools_discover/);
		assertPlayed(model, { change: "made", before: 1 });
	});

	test("over HTTP", async (t) => {
		const { url } = /** @type {any} */ (await serverEntry(t, "http", makePlace()));
		const model = await play(t, { turns: script, extensions, mcpServers: { "agent-tools": { url } } });
		assertPlayed(model, { change: "made", before: 1 });
	});

	for (const [answers, change] of /** @type {const} */ ([
		[["Continue", "once", "Submit"], "made"],
		[["Decline"], "refused"],
	])) {
		test(`asks a person of Pi's, who says ${answers[0]}`, async (t) => {
			const options = { turns: script, extensions, mcpServers, plugins: ["demo"] };
			const run = await PiRun.start(t, { ...options, mode: "rpc" });
			run.send({ type: "prompt", message: "go" });
			for (const [at, answer] of answers.entries()) {
				const dialog = await run.dialog(at + 1);
				if (at === 0) assert.match(dialog.title, /agent-tools.*create_issue of demo may change something/s);
				run.answerTo(dialog, answer);
			}
			await run.event("agent_settled");
			assert.equal(run.dialogs.length, answers.length);
			assertPlayed(run.model, { change, before: 1 });
		});
	}
});
