// The same servers behind `agent-tools-runtime mcp`, as a client would have them.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { leftAfter } from "../harness/marked-processes.js";
import { CLI } from "../harness/paths.js";
import { pythonProgram, withoutPython } from "../harness/python-servers.js";
import { StdioSession } from "../harness/stdio-session.js";
import { makePlace, npmServer, withEnv } from "./real-server.js";

test("a server from npm and one from PyPI, behind the command", {
	timeout: 180_000,
	skip: withoutPython(),
}, async (t) => {
	const { place, marker } = makePlace(t);
	const { folder, env } = place;
	const servers = {
		files: npmServer("mcp-server-filesystem", folder),
		clock: { command: pythonProgram("mcp-server-time") },
	};
	for (const [prefix, mcp] of Object.entries(servers)) writePlugin(folder, prefix, withEnv(mcp, env));
	// The file server says that writing may destroy something, and nobody can be asked here.
	const config = path.join(folder, "agent-tools.json");
	writeFileSync(config, JSON.stringify({ policy: { tools: { "files/write_file": "allow" } } }));
	const session = new StdioSession("legacy", process.execPath, [CLI, "mcp", "--config", config], {
		env: { ...process.env, ...env, AGENT_TOOLS_PLUGINS_DIR: folder },
	});
	await session.open();

	const found = await call(session, "agent_tools_clock_discover", { query: "convert a time to another zone" });
	assert.match(found, /"toolName":"convert_time"/);
	const times = { source_timezone: "Etc/UTC", time: "12:00", target_timezone: "Asia/Tokyo" };
	const converted = await call(session, "agent_tools_clock_call", { toolName: "convert_time", arguments: times });
	assert.match(converted, /T21:00:00\+09:00/);

	const write = {
		toolName: "write_file",
		arguments: { path: path.join(folder, "a.txt"), content: "día" },
		confirm: true,
	};
	await call(session, "agent_tools_files_call", write);
	const read = { toolName: "read_text_file", arguments: { path: path.join(folder, "a.txt") } };
	// This server gives a text, and the same text in its structured content.
	assert.equal((await call(session, "agent_tools_files_call", read)).match(/día/g)?.length, 1);

	session.child.stdin.end();
	assert.deepEqual(await session.ended, { code: 0, signal: null }, session.stderr);
	assert.deepEqual(await leftAfter(marker, 10_000), []);
});

/**
 * @param {StdioSession} session
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @returns {Promise<string>}
 */
async function call(session, name, args) {
	const { result, error } = await session.request("tools/call", { name, arguments: args });
	assert.equal(error, undefined);
	const text = result.content[0].text;
	assert.ok(!result.isError, text);
	return text;
}

/**
 * @param {string} folder
 * @param {string} prefix
 * @param {object} mcp
 */
function writePlugin(folder, prefix, mcp) {
	const plugin = path.join(folder, `agent-tools-plugin-${prefix}`);
	mkdirSync(plugin);
	writeFileSync(
		path.join(plugin, "plugin.json"),
		JSON.stringify({ name: `agent-tools-plugin-${prefix}`, prefix, mcp }),
	);
}
