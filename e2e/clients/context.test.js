// How much of a model's context the ways to many tools take in the real Pi: its own MCP client, pi-mcp-adapter, and ours.
// context.snap.json and the table of docs/comparison.md hold the numbers; UPDATE_TOKENS=1 writes both anew.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadTokenizer } from "../../bindings-node/lib/cli/cost/tokenizer.js";
import { withTable } from "../cost/table.js";
import { clientFile, withoutClients } from "../harness/client-programs.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { PiRun } from "../pi/pi-run.js";
import { temporaryFolder } from "../processes/places.js";
import { servers, tokensOf } from "./context.js";
import { contextTable, MARKS } from "./context-table.js";

const SNAPSHOT = fileURLToPath(new URL("context.snap.json", import.meta.url));
const PAGE = fileURLToPath(new URL("../../docs/comparison.md", import.meta.url));
const UPDATE = Boolean(process.env.UPDATE_TOKENS);
const QUERY = "add two numbers";

const count = await loadTokenizer();
/** @type {Record<string, Record<string, import("./context.js").Context>>} */
const recorded = JSON.parse(readFileSync(SNAPSHOT, "utf8"));
/** @type {typeof recorded} */
const measured = {};

/** @param {Record<string, object>} mcpServers */
const ours = (mcpServers, view = "unified") => {
	const file = path.join(temporaryFolder("compared"), "agent-tools.json");
	writeFileSync(file, JSON.stringify({ mcpServers, plugins: onlyRepositoryPlugins() }));
	return { env: { AGENT_TOOLS_CONFIG: file, AGENT_TOOLS_VIEW: view } };
};
/** @param {Record<string, object>} mcpServers @param {string} exposure */
const pi = (mcpServers, exposure) => {
	const entries = Object.entries(mcpServers).map(([name, server]) => [name, { ...server, exposure }]);
	return { extensions: [], mcpServers: Object.fromEntries(entries) };
};

/** @type {Record<string, {options: (servers: Record<string, object>) => object, search?: {name: string, arguments: object}}>} */
const WAYS = {
	"Pi, every tool declared (`direct`)": { options: (all) => pi(all, "direct") },
	"Pi, `codemode`": { options: (all) => pi(all, "codemode") },
	"Pi, `deferred`": {
		options: (all) => pi(all, "deferred"),
		search: { name: "tool_search", arguments: { query: QUERY } },
	},
	"pi-mcp-adapter": {
		options: (mcpServers) => ({ extensions: [clientFile("pi-mcp-adapter")], mcpServers }),
		search: { name: "mcp", arguments: { search: QUERY } },
	},
	"agent-tools-runtime, `unified`": {
		options: (all) => ours(all),
		search: { name: "agent_tools_discover", arguments: { query: QUERY } },
	},
	"agent-tools-runtime, `facade`": {
		options: (all) => ours(all, "facade"),
		search: { name: "agent_tools_everything_discover", arguments: { query: QUERY } },
	},
	"agent-tools-runtime, `flat`": {
		options: (all) => ours(all, "flat"),
		search: { name: "tool_search", arguments: { query: QUERY } },
	},
};

for (const number of [1, 4]) {
	suite(`${number} servers`, { skip: withoutClients(), timeout: 600_000 }, () => {
		for (const [way, { options, search }] of Object.entries(WAYS)) {
			test(way, async (t) => {
				const alone = (await play(t, { extensions: [] }))[0];
				const [before, behind] = await play(t, options(servers(number)), search);
				measured[number] ??= {};
				measured[number][way] = {
					tools: before.tools - alone.tools,
					atRest: before.tokens - alone.tokens,
					...(search && { search: count(behind.result), afterwards: behind.tokens - before.tokens }),
				};
				if (UPDATE) return;
				assert.deepEqual(measured[number][way], recorded[number]?.[way], "UPDATE_TOKENS=1 takes the new numbers");
			});
		}
	});
}

test("docs/comparison.md shows what is recorded", { skip: UPDATE && "it is being written" }, () => {
	const page = readFileSync(PAGE, "utf8");
	assert.equal(withTable(page, contextTable(recorded), MARKS), page);
});

after(() => {
	if (!UPDATE || withoutClients()) return;
	writeFileSync(SNAPSHOT, `${JSON.stringify(measured, null, "\t")}\n`);
	writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8"), contextTable(measured), MARKS));
});

/**
 * What each request of a run held.
 *
 * @param {import("node:test").TestContext} t
 * @param {object} options
 * @param {{name: string, arguments: object}} [search]
 */
async function play(t, options, search) {
	const turns = [...(search ? [{ tool_calls: [search] }] : []), { text: "done" }];
	const { run, exit } = await PiRun.once(t, { turns, ...options });
	assert.equal(exit.code, 0, run.child.output);
	assert.equal(run.model.requests.length, turns.length);
	return run.model.requests.map((request) => ({
		...tokensOf(request, count, run.home),
		result: request.tool_result,
	}));
}
