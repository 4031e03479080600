import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { DemoAdapter } from "../adapter.mjs";
import * as createAndVerify from "../skills/create-and-verify-issue.mjs";
import * as summary from "../skills/issue-summary.mjs";
import { tools } from "../tools.mjs";

const manifest = JSON.parse(readFileSync(new URL("../plugin.json", import.meta.url), "utf8"));
const settings = manifest.extensions["dev.agent-tools-runtime"];

/**
 * @param {DemoAdapter} adapter
 * @param {string} name
 * @param {Record<string, unknown>} [args]
 */
async function call(adapter, name, args = {}) {
	const reply = await adapter.call(name, args);
	return JSON.parse(reply.content[0]?.text ?? "");
}

test("issues are listed by state and label, newest first", async () => {
	const adapter = new DemoAdapter();
	const numbers = async (/** @type {Record<string, unknown>} */ filter) =>
		(await call(adapter, "list_issues", filter)).issues.map((/** @type {{number: number}} */ { number }) => number);
	assert.deepEqual(await numbers({}), [2, 1]);
	assert.deepEqual(await numbers({ state: "all" }), [3, 2, 1]);
	assert.deepEqual(await numbers({ state: "all", label: "bug" }), [3, 1]);
	assert.deepEqual(await numbers({ state: "closed", label: "feature" }), []);
});

test("an issue is created, read and closed once", async () => {
	const adapter = new DemoAdapter();
	const created = await call(adapter, "create_issue", { title: "New", labels: ["bug"] });
	assert.deepEqual([created.number, created.state, created.body], [4, "open", ""]);
	assert.deepEqual(await call(adapter, "get_issue", { number: 4 }), created);
	const closed = await call(adapter, "close_issue", { number: 4 });
	assert.equal(closed.state, "closed");
	assert.deepEqual(await call(adapter, "close_issue", { number: 4 }), closed);
});

test("an unknown issue or tool is an error that says what to do", async () => {
	const adapter = new DemoAdapter();
	await assert.rejects(adapter.call("get_issue", { number: 99 }), { code: "ISSUE_NOT_FOUND", hint: /list_issues/ });
	await assert.rejects(adapter.call("constructor", {}), { code: "UNKNOWN_TOOL" });
});

test("notes are added, and every adapter begins with the sample", async () => {
	const adapter = new DemoAdapter();
	await call(adapter, "add_note", { text: "Buy milk" });
	const texts = async (/** @type {DemoAdapter} */ adapter) =>
		(await call(adapter, "list_notes")).notes.map((/** @type {{text: string}} */ { text }) => text);
	assert.deepEqual(await texts(adapter), ["Releases are made on Thursdays.", "Buy milk"]);
	assert.deepEqual(await texts(new DemoAdapter()), ["Releases are made on Thursdays."]);
});

test("with a file, the data stays", async (t) => {
	const dir = mkdtempSync(path.join(tmpdir(), "demo-"));
	process.env.AGENT_TOOLS_DEMO_FILE = path.join(dir, "tracker.json");
	t.after(() => {
		delete process.env.AGENT_TOOLS_DEMO_FILE;
		rmSync(dir, { recursive: true });
	});
	await call(new DemoAdapter(), "create_issue", { title: "Kept" });
	assert.equal((await call(new DemoAdapter(), "get_issue", { number: 4 })).title, "Kept");
	assert.deepEqual(readdirSync(dir), ["tracker.json"]);
});

test("the skills work on the adapter", async () => {
	const adapter = new DemoAdapter();
	const created = await createAndVerify.run(adapter, { title: "Checked", labels: ["docs"] });
	assert.equal(created.confirmed, true);
	assert.deepEqual(await summary.run(adapter), {
		total: 4,
		open: 3,
		closed: 1,
		openByLabel: { docs: 1, feature: 1, bug: 1, search: 1 },
		openIssues: [
			{ number: 4, title: "Checked" },
			{ number: 2, title: "Export notes as Markdown" },
			{ number: 1, title: "Search finds nothing for words with an accent" },
		],
	});
});

test("the declarative skill calls only tools that there are, and says that it only reads", () => {
	const skill = JSON.parse(readFileSync(new URL("../skills/issues-in-full.json", import.meta.url), "utf8"));
	assert.ok(settings.skills.includes("./skills/issues-in-full.json"));
	assert.equal(skill.readOnly, true);
	for (const { call } of skill.steps) assert.ok(settings.readonlyTools.includes(call), call);
});

test("the manifest names only what there is, and the package ships it", () => {
	const names = tools.map(({ name }) => name);
	for (const name of settings.readonlyTools) assert.ok(names.includes(name), name);
	const skills = settings.skills.map((/** @type {string} */ file) => path.parse(file).name);
	for (const name of settings.readonlySkills) assert.ok(skills.includes(name), name);
	const { files, version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
	assert.equal(manifest.version, version);
	for (const entry of ["plugin.json", "*.mjs", "skills"]) assert.ok(files.includes(entry), entry);
});

test("every tool and argument is described", () => {
	for (const { name, description, inputSchema } of tools) {
		assert.ok(description.length > 20, name);
		assert.equal(inputSchema.additionalProperties, false);
		for (const [key, schema] of Object.entries(inputSchema.properties)) {
			assert.ok(/** @type {{description?: string}} */ (schema).description, `${name}.${key}`);
		}
	}
});
