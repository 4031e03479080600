import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Runtime } from "@rckflr/agent-tools-runtime";

// The real runtime with this plugin alone: no configuration of this machine counts, and nothing is kept. The service is one
// of this test, which answers everything.

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const PREFIX = "__PREFIX__";
/** A call that only reads and one that changes something, where there are such. */
const { read, change } = JSON.parse(readFileSync(path.join(FOLDER, "test/calls.json"), "utf8"));
const { environment } = JSON.parse(readFileSync(path.join(FOLDER, "plugin.json"), "utf8")).extensions[
	"dev.agent-tools-runtime"
];

describe("agent-tools-plugin-__NAME__", () => {
	const dataDir = mkdtempSync(path.join(tmpdir(), "agent-tools-plugin-"));
	/** @type {Runtime} */
	let runtime;
	/** @type {string[]} */
	const requests = [];
	const service = http.createServer(({ method, url }, response) => {
		requests.push(`${method} ${url}`);
		response.setHeader("content-type", "application/json");
		response.end("{}");
	});

	before(async () => {
		await once(service.listen(0, "127.0.0.1"), "listening");
		const { port } = /** @type {import("node:net").AddressInfo} */ (service.address());
		for (const name of Object.keys(environment)) process.env[name] = `test-${name}`;
		process.env.__VARIABLE___URL = `http://127.0.0.1:${port}`;
		const alone = { pluginDirs: [FOLDER], packageRoot: null, config: false, cache: false, audit: { enabled: false } };
		runtime = await Runtime.open({ ...alone, dataDir });
	});

	after(async () => {
		await runtime.close();
		service.close();
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

	test("a model finds the tool by what it does", { skip: !read && "test/calls.json has no `read`" }, async () => {
		const { hits } = await runtime.search(read.question, { plugin: PREFIX, limit: 10 });
		assert.ok(hits.some(({ kind, name }) => kind === "tool" && name === read.tool));
	});

	test("what only reads is sent at once", { skip: !read && "test/calls.json has no `read`" }, async () => {
		const { isError, error } = await call(read.tool, read.arguments);
		assert.equal(isError, false, error);
		assert.deepEqual(requests.splice(0), [read.request]);
	});

	test("what may change something asks for consent", {
		skip: !change && "test/calls.json has no `change`",
	}, async () => {
		const { code, error } = await call(change.tool, change.arguments);
		assert.equal(code, "CONFIRM_REQUIRED", error);
		assert.deepEqual(requests, []);
	});
});

/** @param {import("@rckflr/agent-tools-runtime").ToolReply} reply */
function reply({ content }) {
	const [first] = content;
	assert.ok(first && "text" in first && typeof first.text === "string");
	return JSON.parse(first.text);
}
