// mcporter, which calls MCP servers from a shell.

import assert from "node:assert/strict";
import path from "node:path";
import { describe, test } from "node:test";
import { clientFile, withoutClients } from "../harness/client-programs.js";
import { NODE24 } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";
import { TOOLS, walk } from "./journey.js";
import { makePlace, serverEntry, writeJson } from "./place.js";

const MCPORTER = clientFile("mcporter/dist/cli.js");

/**
 * @param {import("node:test").TestContext} t
 * @param {import("./place.js").Way} way
 */
async function setUp(t, way) {
	const place = makePlace();
	const { type: _, ...entry } = /** @type {any} */ (await serverEntry(t, way, place));
	// Else each command has a server of its own, and the plugin forgets what the one before has created.
	const server = way === "stdio" ? { ...entry, lifecycle: "keep-alive" } : entry;
	const config = writeJson(path.join(place.folder, "config/mcporter.json"), { mcpServers: { "agent-tools": server } });
	const run = async (/** @type {string[]} */ ...args) => {
		const child = new Spawned(t, NODE24, [MCPORTER, "--config", config, ...args], {
			cwd: place.folder,
			env: place.env,
		});
		return { code: (await child.exitWithin(120_000)).code, text: child.stdout, output: child.output };
	};
	if (way === "stdio") t.after(() => run("daemon", "stop"));
	return run;
}

for (const way of /** @type {const} */ (["stdio", "http"])) {
	describe(`mcporter over ${way}`, { timeout: 600_000, skip: withoutClients() }, () => {
		test("lists our tools", async (t) => {
			const run = await setUp(t, way);
			const { code, text, output } = await run("list", "--json");
			assert.equal(code, 0, output);
			const [server] = JSON.parse(text).servers;
			assert.equal(server.status, "ok");
			assert.deepEqual(server.tools.map((/** @type {any} */ { name }) => name).sort(), TOOLS);
		});

		test("calls them", async (t) => {
			const run = await setUp(t, way);
			await walk("made", async (tool, args) => {
				const { code, text } = await run("call", `agent-tools.${tool}`, "--args", JSON.stringify(args));
				assert.equal(code, /"isError":\s*true/.test(text) ? 1 : 0, text);
				// Data is shown on several lines.
				return text.startsWith("{") ? JSON.stringify(JSON.parse(text)) : text;
			});
		});
	});
}
