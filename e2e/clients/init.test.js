// What `agent-tools init` writes, read by the clients it is for.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { clientFile, withoutProgram } from "../harness/client-programs.js";
import { CLI } from "../harness/paths.js";
import { NODE24 } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";
import { makePlace } from "./place.js";

const OWN_TOML = '# mine\n[mcp_servers.mine] # said of it\ncommand = "true"\n';
const OWN_JSON = '{\n  "mcpServers": {\n    "mine": { "type": "stdio", "command": "true", "args": [] }\n  }\n}\n';

/**
 * @param {import("node:test").TestContext} t
 * @param {string} program
 */
function setUp(t, program) {
	const { home, folder, env } = makePlace();
	const own = { ...env, CODEX_HOME: path.join(home, ".codex"), NO_COLOR: "1" };
	const run = async (/** @type {string[]} */ ...args) => {
		const child = new Spawned(t, NODE24, args, { cwd: folder, env: own });
		assert.equal((await child.exitWithin(120_000)).code, 0, child.output);
		return child.stdout;
	};
	return {
		home,
		folder,
		client: (/** @type {string[]} */ ...args) => run(clientFile(program), ...args),
		init: (/** @type {string[]} */ ...args) => run(CLI, "init", ...args, "--yes"),
	};
}

describe("Codex", { timeout: 600_000, skip: withoutProgram("@openai/codex") }, () => {
	test("has the entry beside those that were there, and no longer once it is undone", async (t) => {
		const { home, client, init } = setUp(t, "@openai/codex/bin/codex.js");
		const file = path.join(home, ".codex/config.toml");
		mkdirSync(path.dirname(file));
		writeFileSync(file, OWN_TOML);
		await init("codex");
		const servers = JSON.parse(await client("mcp", "list", "--json"));
		assert.deepEqual(servers.map((/** @type {any} */ { name }) => name).sort(), ["agent-tools", "mine"]);
		const { transport } = JSON.parse(await client("mcp", "get", "agent-tools", "--json"));
		assert.equal(transport.command, "npx");
		assert.deepEqual(transport.args, ["-y", "@rckflr/agent-tools-runtime", "mcp"]);
		assert.match(readFileSync(file, "utf8"), /default_tools_approval_mode = "approve"/);
		await init("codex", "--http", "http://127.0.0.1:8321/mcp", "--token-env", "MY_TOKEN");
		const { transport: remote } = JSON.parse(await client("mcp", "get", "agent-tools", "--json"));
		assert.equal(remote.url, "http://127.0.0.1:8321/mcp");
		assert.equal(remote.bearer_token_env_var, "MY_TOKEN");
		assert.doesNotMatch(readFileSync(file, "utf8"), /approve/, "Codex has to ask where the runtime cannot");
		await init("codex");
		assert.match(readFileSync(file, "utf8"), /default_tools_approval_mode = "approve"/);
		await init("--undo", "codex");
		assert.equal(readFileSync(file, "utf8"), OWN_TOML);
	});

	test("takes our entry away itself; put in again, it is undone as before", async (t) => {
		const { home, client, init } = setUp(t, "@openai/codex/bin/codex.js");
		await init("codex");
		await client("mcp", "remove", "agent-tools");
		await init("codex");
		assert.match(await client("mcp", "list"), /agent-tools/);
		await init("--undo", "codex");
		const file = path.join(home, ".codex/config.toml");
		assert.doesNotMatch(existsSync(file) ? readFileSync(file, "utf8") : "", /agent-tools/);
	});
});

describe("Claude Code", { timeout: 600_000, skip: withoutProgram("@anthropic-ai/claude-code") }, () => {
	for (const scope of ["user", "project"]) {
		test(`connects by the entry of the ${scope}, and no longer once it is undone`, async (t) => {
			const { home, folder, client, init } = setUp(t, "@anthropic-ai/claude-code/cli-wrapper.cjs");
			const file = scope === "user" ? path.join(home, ".claude.json") : path.join(folder, ".mcp.json");
			writeFileSync(file, OWN_JSON);
			await init("claude-code", "--scope", scope, "--local");
			const shown = await client("mcp", "get", "agent-tools");
			assert.match(shown, /Type: stdio/);
			assert.match(shown, new RegExp(CLI));
			assert.equal(JSON.parse(readFileSync(file, "utf8")).mcpServers["agent-tools"].alwaysLoad, true);
			// A project's file waits for the user's yes in Claude Code itself.
			assert.match(await client("mcp", "list"), scope === "user" ? /agent-tools: .*Connected/ : /agent-tools: /);
			await init("--undo", "claude-code");
			const after = JSON.parse(readFileSync(file, "utf8")).mcpServers;
			assert.deepEqual(Object.keys(after), ["mine"]);
		});
	}
});
