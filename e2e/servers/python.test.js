// Servers from PyPI, as child processes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { pythonProgram, withoutPython } from "../harness/python-servers.js";
import { testServer } from "./real-server.js";

const skip = withoutPython();

testServer({
	name: "time",
	skip,
	tools: ["get_current_time", "convert_time"],
	setUp: () => ({
		mcp: { command: pythonProgram("mcp-server-time") },
		tool: "convert_time",
		arguments: { source_timezone: "Etc/UTC", time: "12:00", target_timezone: "Asia/Tokyo" },
		check: ({ result }) => {
			assert.match(result.target.datetime, /T21:00:00\+09:00$/);
			assert.equal(result.time_difference, "+9.0h");
		},
	}),
});

testServer({
	name: "git",
	skip,
	tools: [
		..."git_status git_diff_unstaged git_diff_staged git_diff git_commit git_add git_reset git_log".split(" "),
		..."git_create_branch git_checkout git_show git_branch".split(" "),
	],
	setUp: ({ folder }) => {
		const git = (/** @type {string[]} */ ...args) =>
			execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: folder });
		git("init", "--quiet");
		writeFileSync(path.join(folder, "a.txt"), "a\n");
		git("add", "a.txt");
		git("commit", "--quiet", "--message", "Add día");
		return {
			mcp: { command: pythonProgram("mcp-server-git"), args: ["--repository", folder] },
			tool: "git_log",
			arguments: { repo_path: folder, max_count: 1 },
			check: ({ text }) => assert.match(text, /Add día/),
		};
	},
});

testServer({
	name: "fetch",
	skip,
	tools: ["fetch"],
	offers: ["prompt_fetch"],
	setUp: async ({ t }) => {
		const page = createServer((_, response) => {
			response.setHeader("content-type", "text/html; charset=utf-8");
			response.end("<html><body><main><h1>Almanac</h1><p>Sunrise at <b>seven</b>.</p></main></body></html>");
		}).listen(0, "127.0.0.1");
		await once(page, "listening");
		t.after(() => page.close());
		const { port } = /** @type {import("node:net").AddressInfo} */ (page.address());
		return {
			mcp: { command: pythonProgram("mcp-server-fetch"), args: ["--ignore-robots-txt", "--allow-private-ips"] },
			tool: "fetch",
			// Raw: the server's converter to Markdown would install packages of its own on first use.
			arguments: { url: `http://127.0.0.1:${port}/`, raw: true },
			check: ({ text }) => assert.match(text, /Sunrise at <b>seven<\/b>/),
		};
	},
});
