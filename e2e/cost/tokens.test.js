// What each view takes of a model's context, with 1, 8 and 70 plugins. tokens.snap.json and the table of docs/cost.md hold
// the numbers, so that whoever changes them sees by how much; UPDATE_TOKENS=1 writes both anew.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Runtime } from "../../bindings-node/index.js";
import { atRest, discoverTokens, VIEWS } from "../../bindings-node/lib/cli/cost/measure.js";
import { loadTokenizer } from "../../bindings-node/lib/cli/cost/tokenizer.js";
import { publishedPrefix, writeLivemcpPlugins } from "../harness/livemcp-plugins.js";
import { fixturePlugin } from "../harness/paths.js";
import { SEARCHES } from "./searches.js";
import { table, withTable } from "./table.js";

const SNAPSHOT = fileURLToPath(new URL("tokens.snap.json", import.meta.url));
const PAGE = fileURLToPath(new URL("../../docs/cost.md", import.meta.url));
const UPDATE = Boolean(process.env.UPDATE_TOKENS);

/** Of the list of tools, and of the instructions beside it. */
const UNIFIED_AT_REST = 200;
const INSTRUCTIONS = 200;
/** Of a reply with five hits, as `discover` gives without a limit. */
const REPLY = 250;

const recorded = JSON.parse(readFileSync(SNAPSHOT, "utf8"));
/** @type {Record<string, Record<string, import("../../bindings-node/lib/cli/cost/measure.js").ViewCost>>} */
const measured = {};
const count = await loadTokenizer();

for (const servers of [1, 8, 70]) {
	suite(`${servers} plugins`, () => {
		const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-cost-"));
		const prefixes = writeLivemcpPlugins(folder, { servers });
		/** @type {Runtime} */
		let runtime;
		before(async () => {
			runtime = await open([folder]);
			measured[servers] = await measure(runtime, searchesOf(prefixes));
		});
		after(async () => {
			await runtime.close();
			rmSync(folder, { recursive: true, force: true });
		});

		test("take as many tokens as is recorded", { skip: UPDATE && "they are being recorded" }, () => {
			assert.deepEqual(measured[servers], recorded[servers], "UPDATE_TOKENS=1 takes the new numbers");
		});

		test("take few tokens at rest in the unified view, however many they are", () => {
			const { tokens, instructions } = measured[servers].unified;
			assert.ok(tokens <= UNIFIED_AT_REST, `${tokens} tokens of tools`);
			assert.ok(instructions <= INSTRUCTIONS, `${instructions} tokens of instructions`);
		});

		test("take few with skills too, for which there is a third tool", async () => {
			await using withSkills = await open([folder, fixturePlugin("notes")]);
			const { tools, tokens } = await atRest(withSkills, count, { kind: "unified" });
			assert.equal(tools, 3);
			assert.ok(tokens <= UNIFIED_AT_REST, `${tokens} tokens of tools`);
		});

		test("answer with five hits where so many fit", async () => {
			const reply = await runtime.callTool(
				"agent_tools_discover",
				{ query: "read a file" },
				{ view: { kind: "unified" } },
			);
			assert.equal(reply.isError, false);
			assert.equal(reply._meta["agent-tools/discover"].matches.length, 5);
			assert.match(reply.content[0].text, /"toolName":"read_file"/);
		});

		for (const view of ["facade", "unified"]) {
			test(`answer a search in few tokens in the ${view} view`, () => {
				const { queries, max } = measured[servers][view].discover;
				assert.equal(queries, SEARCHES.length);
				assert.ok(max <= REPLY, `${max} tokens`);
			});
		}
	});
}

test("docs/cost.md shows what is recorded", { skip: UPDATE && "it is being written" }, () => {
	const page = readFileSync(PAGE, "utf8");
	assert.equal(withTable(page, table(recorded)), page);
});

after(() => {
	if (!UPDATE) return;
	writeFileSync(SNAPSHOT, `${JSON.stringify(measured, null, "\t")}\n`);
	writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8"), table(measured)));
});

/** @param {string[]} pluginDirs */
function open(pluginDirs) {
	return Runtime.open({ pluginDirs, packageRoot: null, config: false, cache: false });
}

/**
 * @param {Runtime} runtime
 * @param {Map<string, string[]>} searches
 */
async function measure(runtime, searches) {
	const costs = {};
	for (const kind of VIEWS) {
		const discover = await discoverTokens(runtime, count, { kind }, searches);
		costs[kind] = { ...(await atRest(runtime, count, { kind })), ...(discover && { discover }) };
	}
	return costs;
}

/**
 * Each search by the plugin that answers it; where that is not among these, the first is asked and finds little or nothing.
 *
 * @param {string[]} prefixes
 */
function searchesOf(prefixes) {
	/** @type {Map<string, string[]>} */
	const searches = new Map();
	for (const { server, query } of SEARCHES) {
		const wanted = publishedPrefix(server);
		const prefix = prefixes.includes(wanted) ? wanted : prefixes[0];
		searches.set(prefix, [...(searches.get(prefix) ?? []), query]);
	}
	return searches;
}
