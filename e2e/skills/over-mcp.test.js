// Skills over MCP (io.modelcontextprotocol/skills), as the stable specification words it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { CLI } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";
import { StdioSession } from "../harness/stdio-session.js";
import { PluginFolder } from "../life/plugin-folder.js";

const SKILL = "skill://agent-tools-x/SKILL.md";
/** What the specification adds to the results of the newest protocol version. */
const FRESH = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

/** @typedef {(method: string, params?: Record<string, any>, path?: string) => Promise<any>} Ask the JSON-RPC answer */

const DOORS = {
	/** @param {import("node:test").TestContext} t @param {NodeJS.ProcessEnv} env @returns {Promise<Ask>} */
	async http(t, env) {
		const { port } = await startHttp(t, { env });
		return async (method, params = {}, path = "/mcp") => {
			const named = { name: params.uri ?? params.name };
			const answer = await send({
				port,
				path,
				headers: headers("modern", method, named),
				body: request("modern", 1, method, params),
			});
			return answer.json();
		};
	},
	/** @param {import("node:test").TestContext} t @param {NodeJS.ProcessEnv} env @returns {Promise<Ask>} */
	async stdio(t, env) {
		const session = new StdioSession("modern", process.execPath, [CLI, "mcp"], { env: { ...process.env, ...env } });
		t.after(() => session.child.kill("SIGKILL"));
		return (method, params) => session.request(method, params);
	},
};

for (const [door, open] of Object.entries(DOORS)) {
	describe(`skills over ${door}`, () => {
		test("are declared, listed with what the file holds, and read", async (t) => {
			const plugins = new PluginFolder();
			plugins.add("x");
			plugins.add("y");
			const ask = await open(t, plugins.ownEnv);

			const { capabilities } = (await ask("server/discover")).result;
			assert.deepEqual(capabilities.extensions, { "io.modelcontextprotocol/skills": {} });
			assert.deepEqual(capabilities.resources, {});

			const { skills, ...rest } = (await ask("skills/list")).result;
			assert.deepEqual(pick(rest, FRESH), FRESH);
			const uris = skills.map((/** @type {any} */ { uri }) => uri);
			assert.ok(uris.includes(SKILL) && uris.includes("skill://agent-tools-y/SKILL.md"), uris.join());

			const { skill, ...more } = (await ask("skills/get", { uri: SKILL })).result;
			assert.deepEqual(pick(more, FRESH), FRESH);
			assert.deepEqual(
				skill,
				skills.find((/** @type {any} */ { uri }) => uri === SKILL),
			);

			const [content] = (await ask("resources/read", { uri: SKILL })).result.contents;
			assert.equal(content.mimeType, "text/markdown");
			const bytes = Buffer.from(content.text);
			const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
			assert.deepEqual(skill.resources, [{ uri: SKILL, digest, size: bytes.length }]);
			assert.deepEqual(skill.frontmatter, frontmatterOf(content.text));
			assert.equal(skill.frontmatter.name, "agent-tools-x");

			assert.deepEqual((await ask("resources/list")).result.resources, [], "clients without the extension see none");
			assert.deepEqual(plugins.starts("x"), [], "nothing was started for it");
		});

		test("one that is not there is an invalid parameter", async (t) => {
			const ask = await open(t, new PluginFolder().ownEnv);
			for (const uri of ["skill://agent-tools-none/SKILL.md", "skill://agent-tools-none", "file:///etc/passwd"]) {
				assert.equal((await ask("skills/get", { uri })).error?.code, -32602, uri);
				assert.equal((await ask("resources/read", { uri })).error?.code, -32602, uri);
			}
			assert.equal((await ask("resources/directory/read", { uri: "skill://agent-tools-x" })).error?.code, -32601);
		});
	});
}

test("the path of one plugin has its skill alone, with the calls of that view", async (t) => {
	const plugins = new PluginFolder();
	plugins.add("x");
	plugins.add("y");
	const ask = await DOORS.http(t, plugins.ownEnv);
	const { skills } = (await ask("skills/list", {}, "/mcp/x")).result;
	assert.deepEqual(
		skills.map((/** @type {any} */ { uri }) => uri),
		[SKILL],
	);
	const [content] = (await ask("resources/read", { uri: SKILL }, "/mcp/x")).result.contents;
	assert.doesNotMatch(content.text, /agent_tools_x_call/);
	const [facade] = (await ask("resources/read", { uri: SKILL }, "/mcp?view=facade")).result.contents;
	assert.match(facade.text, /agent_tools_x_call/);
	const [unified] = (await ask("resources/read", { uri: SKILL }, "/mcp?view=unified")).result.contents;
	assert.match(unified.text, /agent_tools_call {"plugin":"x",/);
});

/** The frontmatter of a file of ours, whose values are JSON strings or plain words. @param {string} text */
function frontmatterOf(text) {
	const [, front = ""] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
	const [name, description, metadata, ...marks] = front.split("\n");
	assert.equal(metadata, "metadata:");
	const [key = "", mark] = marks.join().trim().split(": ");
	return {
		name: name?.replace("name: ", ""),
		description: JSON.parse(description?.replace("description: ", "") ?? ""),
		metadata: { [key]: mark },
	};
}

/** @param {any} value @param {object} like */
function pick(value, like) {
	return Object.fromEntries(Object.keys(like).map((key) => [key, value[key]]));
}
