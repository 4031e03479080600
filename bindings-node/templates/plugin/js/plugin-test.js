import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Runtime } from "@rckflr/agent-tools-runtime";

// The real runtime with this plugin alone: no configuration of this machine counts, and nothing is kept.

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const PREFIX = "__PREFIX__";

describe("agent-tools-plugin-__NAME__", () => {
	const dataDir = mkdtempSync(path.join(tmpdir(), "agent-tools-plugin-"));
	/** @type {Runtime} */
	let runtime;

	before(async () => {
		const alone = { pluginDirs: [FOLDER], packageRoot: null, config: false, cache: false, audit: { enabled: false } };
		runtime = await Runtime.open({ ...alone, dataDir });
	});

	after(async () => {
		await runtime.close();
		rmSync(dataDir, { recursive: true, force: true });
	});

	/**
	 * @param {string} tool
	 * @param {Record<string, unknown>} args
	 * @param {{confirm?: boolean}} [options]
	 */
	const call = async (tool, args, options) => reply(await runtime.call(PREFIX, tool, args, options));

	test("it starts, and nothing is wrong with it", async () => {
		await runtime.loadAll();
		const { plugins, warnings } = await runtime.status();
		assert.deepEqual(warnings, []);
		assert.deepEqual(
			plugins.map(({ prefix, state, reason, brokenSkills }) => ({ prefix, state, reason, brokenSkills })),
			[{ prefix: PREFIX, state: "ready", reason: undefined, brokenSkills: undefined }],
		);
	});

	test("a model finds its tools by what they do", async () => {
		for (const [words, tool] of [
			["which notes are there", "list_notes"],
			["remember something", "add_note"],
		]) {
			const { hits } = await runtime.search(String(words), { plugin: PREFIX });
			assert.ok(
				hits.some(({ kind, name }) => kind === "tool" && name === tool),
				tool,
			);
		}
	});

	test("what only reads is answered at once", async () => {
		const { isError, result } = await call("list_notes", {});
		assert.equal(isError, false);
		assert.equal(result.notes[0].number, 1);
	});

	test("what changes something asks for consent, and is done with it", async () => {
		assert.equal((await call("add_note", { text: "Buy milk" })).code, "CONFIRM_REQUIRED");
		assert.equal((await call("list_notes", {})).result.notes.length, 1);
		const { result } = await call("add_note", { text: "Buy milk" }, { confirm: true });
		assert.deepEqual(result, { number: 2, text: "Buy milk" });
	});

	test("the skill runs", async () => {
		const { count } = reply(await runtime.runSkill(PREFIX, "newest-note"));
		assert.equal(count, (await call("list_notes", {})).result.notes.length);
	});
});

/** @param {import("@rckflr/agent-tools-runtime").ToolReply} reply */
function reply({ content }) {
	const [first] = content;
	assert.ok(first && "text" in first && typeof first.text === "string");
	return JSON.parse(first.text);
}
