import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { livemcpServers, writeLivemcpPlugins } from "../harness/livemcp-plugins.js";

const ALONE = { packageRoot: null, config: false, cache: false };

test("the servers are plugins that list their tools and say what was called", async (t) => {
	const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-livemcp-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const prefixes = writeLivemcpPlugins(folder, { servers: 8 });
	await using runtime = await Runtime.open({ ...ALONE, pluginDirs: [folder] });
	await runtime.loadAll();
	const { plugins, warnings } = await runtime.status();
	assert.deepEqual(warnings, []);
	const listed = livemcpServers().slice(0, 8);
	assert.deepEqual(
		plugins.map(({ prefix, tools }) => ({ prefix, tools })).toSorted(byPrefix),
		listed.map(({ prefix, tools }) => ({ prefix, tools: tools.length })).toSorted(byPrefix),
	);
	assert.deepEqual(
		prefixes,
		listed.map(({ prefix }) => prefix),
	);
	const reply = await runtime.call("filesystem", "read_file", { path: "a.txt" });
	assert.match(reply.content[0].text, /read_file was called with \{\\"path\\":\\"a.txt\\"\}/);
	const refused = await runtime.call("filesystem", "write_file", { path: "a.txt", content: "b" });
	assert.match(refused.content[0].text, /CONFIRM/);
});

test("there are 70 with 527 tools, under the prefixes that the runtime makes of their names", async () => {
	const servers = livemcpServers();
	assert.equal(servers.length, 70);
	assert.equal(servers.flatMap(({ tools }) => tools).length, 527);
	const plugins = servers.map(({ server }) => ({ prefix: server, mcp: { command: "unused" } }));
	await using runtime = await Runtime.open({ ...ALONE, pluginDirs: [], plugins });
	const published = (await runtime.status()).plugins.map(({ prefix }) => prefix);
	assert.deepEqual(published.toSorted(), servers.map(({ prefix }) => prefix).toSorted());
});

function byPrefix(a, b) {
	return a.prefix < b.prefix ? -1 : 1;
}
