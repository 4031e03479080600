// docs/quick-start.md, as it stands there: each section in an empty home, with the packages from the registry. What is
// typed is read from the page.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, test } from "node:test";
import { clients } from "../../../bindings-node/lib/cli/init/clients/all.js";
import { StdioSession } from "../../harness/stdio-session.js";
import { newcomer } from "../npm-client.js";
import { quickStarts } from "./clients.js";
import { quickStartSections } from "./page.js";
import { Reader } from "./reader.js";

const FIRST = "A service";
const LAST = "Then";

/**
 * @param {string} dir where homes are made
 * @param {string} registry
 */
export function quickStartTests(dir, registry) {
	const sections = quickStartSections();
	const [service, ...others] = sections;
	const ofClients = others.filter(({ title }) => title !== LAST);

	describe("docs/quick-start.md", { timeout: 600_000 }, () => {
		// What one has installed is there for the next, as on the machine of anybody who goes on trying.
		const cache = mkdtempSync(path.join(dir, "npm-cache-"));

		test("has a section for every client that init knows, and each is run here", () => {
			assert.equal(service?.title, FIRST);
			const titles = ofClients.map(({ title }) => title);
			assert.deepEqual([...titles].sort(), Object.keys(quickStarts).sort());
			for (const { title } of clients) assert.ok(titles.includes(title), title);
		});

		for (const { title, blocks } of ofClients) {
			const { file, entry, says, client, skip = false, port, prepare, sees } = quickStarts[title] ?? {};
			test(title, { skip }, async (t) => {
				if (port && !process.env.CI && (await isTaken(port))) return t.skip(`another program listens on ${port}`);
				const reader = new Reader(t, newcomer(dir, registry, 24), cache);
				if (client) reader.has(client);
				await prepare?.(reader);
				assert.match(await reader.types(service?.blocks[0]), /^It works: 11 tools$/m);

				const shell = blocks.filter(({ language }) => language === "sh");
				let seen = "";
				for (const block of shell) seen = await reader.types(block);
				assert.match(seen, /^\d+ ok, 0 warnings, 0 errors$/m, "the last is `doctor`");
				assert.match(seen, new RegExp(`^  ok  ${says}`, "m"));

				const copied = blocks.find(({ language }) => language === "json")?.text;
				const written = file ? readFileSync(reader.path(file), "utf8") : copied;
				assert.match(String(written), /agent-tools/);
				if (entry) await startsAs(t, entry(String(written)), reader);
				else await sees?.(reader);
			});
		}
	});
}

/** @param {number} port @returns {Promise<boolean>} */
function isTaken(port) {
	return new Promise((resolve) => {
		const probe = createServer();
		probe.once("error", () => resolve(true));
		probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(false)));
	});
}

/**
 * The program of the entry, as a client starts it that cannot be run here.
 *
 * @param {import("node:test").TestContext} t
 * @param {{command?: string, cmd?: string, args: string[]}} entry
 * @param {Reader} reader
 */
async function startsAs(t, { command, cmd, args }, { env, home }) {
	const session = new StdioSession("legacy", String(command ?? cmd), args, { cwd: home, env });
	t.after(() => session.child.kill("SIGKILL"));
	await session.open();
	const { result } = await session.request("tools/list");
	const names = result.tools.map((/** @type {{name: string}} */ { name }) => name);
	assert.deepEqual(names, ["agent_tools_discover", "agent_tools_call"]);
	const search = { name: "agent_tools_discover", arguments: { query: "create entities in the knowledge graph" } };
	const { result: found } = await session.request("tools/call", search);
	assert.match(found.content[0].text, /create_entities/);
	session.child.stdin.end();
	assert.deepEqual(await session.ended, { code: 0, signal: null });
}
