import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { startHttp } from "../harness/cli-http.js";
import { CLI, fixturePlugin, installed } from "../harness/paths.js";

// The reference client that people debug servers with, as it is published.

describe("the MCP inspector", async () => {
	const home = mkdtempSync(path.join(tmpdir(), "agent-tools-inspector-"));
	after(() => rmSync(home, { recursive: true, force: true }));
	const plugins = { AGENT_TOOLS_PLUGINS_DIR: fixturePlugin("notes") };
	const env = { ...process.env, HOME: home };
	const { url } = await startHttp({ after }, { env: plugins });

	const targets = {
		stdio: [CLI, "mcp", "-e", `AGENT_TOOLS_PLUGINS_DIR=${plugins.AGENT_TOOLS_PLUGINS_DIR}`],
		"http, legacy": [url, "--transport", "http", "--protocol-era", "legacy"],
		"http, modern": [url, "--transport", "http", "--protocol-era", "modern"],
		"http, automatic": [url, "--transport", "http", "--protocol-era", "auto"],
	};

	for (const [name, target] of Object.entries(targets)) {
		test(`${name}: lists the tools, and finds no fault in their schemas`, async () => {
			const { code, stdout, stderr } = await inspect([...target, "--method", "tools/list", "--strict"]);
			assert.equal(code, 0, stderr);
			assert.ok(
				JSON.parse(stdout).result.tools.some((tool) => tool.name === "agent_tools_call"),
				stdout,
			);
		});

		test(`${name}: calls a tool`, async () => {
			const { code, stdout, stderr } = await call(target, { toolName: "add", arguments: { a: 2, b: 3 } });
			assert.equal(code, 0, stderr);
			assert.match(JSON.parse(stdout).result.content[0].text, /"sum":5/);
		});

		test(`${name}: sees that a tool failed`, async () => {
			const { code, stderr } = await call(target, { toolName: "fail", arguments: {} });
			assert.equal(code, 5, stderr);
			assert.match(stderr, /tool_is_error/);
		});
	}

	function call(target, args) {
		const tool = ["--tool-name", "agent_tools_call", "--tool-args-json", JSON.stringify({ plugin: "notes", ...args })];
		return inspect([...target, "--method", "tools/call", ...tool]);
	}

	function inspect(args) {
		return new Promise((resolve) => {
			const all = [installed("mcp-inspector"), "--cli", ...args, "--format", "json"];
			execFile(process.execPath, all, { env, cwd: home }, (error, stdout, stderr) =>
				resolve({ code: error ? error.code : 0, stdout, stderr }),
			);
		});
	}
});
