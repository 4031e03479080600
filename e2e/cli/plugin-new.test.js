import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { CLI, ROOT } from "../harness/paths.js";
import { until } from "../harness/until.js";
import { e2eModule, temporaryFolder } from "../processes/places.js";

const MEMORY = e2eModule("@modelcontextprotocol/server-memory/dist/index.js");
const GITHUB = path.join(ROOT, "plugins/agent-tools-plugin-github/openapi.yaml");

/**
 * A folder of somebody's, outside of this repository.
 *
 * @param {{installed?: boolean}} [how] `installed`: with the runtime in its node_modules
 */
function project({ installed = true } = {}) {
	const dir = temporaryFolder("agent-tools-new");
	if (!installed) return dir;
	mkdirSync(path.join(dir, "node_modules/@rckflr"), { recursive: true });
	symlinkSync(path.join(ROOT, "bindings-node"), path.join(dir, "node_modules/@rckflr/agent-tools-runtime"));
	return dir;
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {Record<string, string | undefined>} [env]
 */
function start(cwd, args, env = {}) {
	// Node's runner tells its children that they are tests of its own, by a variable.
	const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env } });
	const seen = { out: "", err: "" };
	child.stdout.setEncoding("utf8").on("data", (text) => {
		seen.out += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text) => {
		seen.err += text;
	});
	return { child, ended: once(child, "close").then(([code]) => ({ ...seen, code })) };
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function pluginNew(cwd, args, env) {
	return start(cwd, [CLI, "plugin", "new", ...args], env).ended;
}

/** The calls of a README. @param {string} folder */
function callsOf(folder) {
	const text = readFileSync(path.join(folder, "README.md"), "utf8");
	return [...text.matchAll(/^\| .* \| (skill )?`(\S+) (\{.*\})` \|$/gm)].map(([, skill, name = "", args = ""]) => ({
		skill: Boolean(skill),
		name,
		args: JSON.parse(args),
		// Written below the table.
		changes: new RegExp(`^\`${name}\` .*needs \`confirm: true\``, "m").test(text),
	}));
}

/**
 * @param {import("node:test").TestContext} t
 * @param {string} folder
 */
async function opened(t, folder) {
	const dataDir = temporaryFolder("agent-tools-data");
	const alone = { pluginDirs: [folder], packageRoot: null, config: false, cache: false, audit: { enabled: false } };
	const runtime = await Runtime.open({ ...alone, dataDir });
	t.after(() => runtime.close());
	return runtime;
}

/** @param {import("../../bindings-node/index.js").ToolReply} reply */
function textOf({ content }) {
	return content.map((part) => ("text" in part ? part.text : "")).join("\n");
}

/**
 * @typedef {object} Case
 * @property {string} what
 * @property {string[]} args
 * @property {string} prefix
 * @property {string} words that find `finds`
 * @property {string} finds
 * @property {string[]} readme the names of the calls in it
 * @property {number} passed how many tests of its own it has
 * @property {string} [service] the variable of the address
 */

/** @type {Case[]} */
const cases = [
	{
		what: "the example document",
		args: ["pets", "--from", "openapi"],
		prefix: "pets",
		words: "which notes are there",
		finds: "list_notes",
		readme: ["list_notes", "add_note"],
		passed: 4,
		service: "PETS_URL",
	},
	{
		what: "a document of a real service",
		args: ["hub.v2", "--from", "openapi", GITHUB, "--prefix", "hub"],
		prefix: "hub",
		words: "open issues of a repository",
		finds: "list_issues",
		readme: ["search_repositories", "create_issue"],
		passed: 4,
		service: "HUB_V2_URL",
	},
	{
		what: "an MCP server",
		args: ["memory", "--from", "mcp", "--", process.execPath, MEMORY],
		prefix: "memory",
		words: "read the whole graph",
		finds: "read_graph",
		readme: ["read_graph", "create_entities"],
		passed: 4,
	},
	{
		what: "a program",
		args: ["git", "--from", "cli", "git"],
		prefix: "git",
		words: "which version is installed",
		finds: "version",
		readme: ["version", "run"],
		passed: 4,
	},
	{
		what: "a module",
		args: ["jot", "--from", "js"],
		prefix: "jot",
		words: "remember this",
		finds: "add_note",
		readme: ["list_notes", "add_note", "newest-note"],
		passed: 5,
	},
];

for (const { what, args, prefix, words, finds, readme, passed, service } of cases) {
	describe(`a plugin of ${what}`, { timeout: 180_000 }, () => {
		const dir = project();
		const folder = path.join(dir, `agent-tools-plugin-${args[0]}`);

		test("is written, and says how to go on", async () => {
			const { code, out, err } = await pluginNew(dir, args);
			assert.equal(code, 0, err);
			assert.match(
				err,
				/Next:\n {2}cd agent-tools-plugin-\S+\n {2}node --test\n {2}agent-tools list --plugins-dir \.\n$/,
			);
			for (const file of ["package.json", "plugin.json", "README.md", "LICENSE", `test/${args[0]}.test.js`]) {
				assert.ok(out.includes(`\n  ${file}\n`), file);
				assert.ok(existsSync(path.join(folder, file)), file);
			}
			assert.deepEqual(readdirSync(dir).sort(), [path.basename(folder), "node_modules"].sort());
			for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
				entry.isFile(),
			)) {
				const text = readFileSync(path.join(file.parentPath, file.name), "utf8");
				assert.doesNotMatch(text, /__[A-Z_]+__/, file.name);
			}
		});

		test("is valid", async () => {
			const { code, out } = await start(dir, [CLI, "validate", folder]).ended;
			assert.match(out, /^valid$/m);
			assert.equal(code, 0);
		});

		test("its own test passes, with nothing skipped", async () => {
			const { code, out } = await start(folder, ["--test", "--test-reporter=tap"]).ended;
			assert.equal(code, 0, out);
			assert.match(out, new RegExp(`^# pass ${passed}\\n# fail 0\\n# cancelled 0\\n# skipped 0$`, "m"));
		});

		test("a model finds its tools, and the calls of its README are answered", async (t) => {
			if (service) {
				const server = http.createServer((_, response) => {
					response.setHeader("content-type", "application/json");
					response.end("{}");
				});
				await once(server.listen(0, "127.0.0.1"), "listening");
				t.after(() => server.close());
				const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
				const { extensions } = JSON.parse(readFileSync(path.join(folder, "plugin.json"), "utf8"));
				for (const name of Object.keys(extensions["dev.agent-tools-runtime"].environment)) {
					process.env[name] = "k-12345678";
					t.after(() => delete process.env[name]);
				}
				process.env[service] = `http://127.0.0.1:${port}`;
			}
			const runtime = await opened(t, folder);
			const found = await runtime.discover(prefix, words);
			assert.ok(
				found._meta?.["agent-tools/discover"]?.matches.some(({ name }) => name === finds),
				textOf(found),
			);
			const calls = callsOf(folder);
			assert.deepEqual(
				calls.map(({ name }) => name),
				readme,
			);
			for (const { skill, name, args, changes } of calls) {
				const run = skill ? runtime.runSkill.bind(runtime) : runtime.call.bind(runtime);
				if (changes) assert.match(textOf(await run(prefix, name, args)), /"code":"CONFIRM_REQUIRED"/);
				const reply = await run(prefix, name, args, { confirm: changes });
				assert.equal(reply.isError, false, textOf(reply));
			}
			assert.equal(calls.filter(({ changes }) => changes).length, 1);
		});

		test("is not written over", async () => {
			const before = readFileSync(path.join(folder, "plugin.json"), "utf8");
			const { code, err } = await pluginNew(dir, args);
			assert.equal(code, 2);
			assert.match(err, /^error: .* is there already, and nothing of it was changed\nhint: .*--out FOLDER/);
			assert.equal(readFileSync(path.join(folder, "plugin.json"), "utf8"), before);
		});
	});
}

test("a plugin in this repository finds the runtime there", async (t) => {
	const out = path.join(ROOT, `target/plugin-new-${process.pid}`);
	t.after(() => rmSync(out, { recursive: true, force: true }));
	const { code, err } = await pluginNew(ROOT, ["inside", "--from", "js", "--out", out]);
	assert.equal(code, 0, err);
	const own = await start(path.join(out, "agent-tools-plugin-inside"), ["--test", "--test-reporter=tap"]).ended;
	assert.equal(own.code, 0, own.out);
});

test("where the runtime is not installed, `npm install` is the next step", async () => {
	const dir = project({ installed: false });
	const { out } = await pluginNew(dir, ["x", "--from", "js", "--out", "a/b", "--prefix", "y", "--json"]);
	const { next, folder, ...rest } = JSON.parse(out);
	assert.deepEqual(next.slice(0, 3), ["cd a/b/agent-tools-plugin-x", "npm install", "node --test"]);
	assert.ok(existsSync(path.join(folder, "plugin.json")));
	assert.deepEqual(
		[rest.name, rest.prefix, rest.kind, rest.tools, rest.skills],
		["agent-tools-plugin-x", "y", "js", 2, 1],
	);
});

test("a document at an address, whose server is relative to it", async (t) => {
	const document = readFileSync(path.join(ROOT, "bindings-node/templates/plugin/openapi/openapi.yaml"), "utf8");
	const server = http.createServer((_, response) => response.end(document.replace(/https:\S+/, "/v1")));
	await once(server.listen(0, "127.0.0.1"), "listening");
	t.after(() => server.close());
	const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
	const dir = project();
	const { code, err } = await pluginNew(dir, [
		"notes",
		"--from",
		"openapi",
		`http://127.0.0.1:${port}/docs/openapi.yaml`,
	]);
	assert.equal(code, 0, err);
	const manifest = readFileSync(path.join(dir, "agent-tools-plugin-notes/plugin.json"), "utf8");
	assert.ok(manifest.includes(`"\${NOTES_URL:-http://127.0.0.1:${port}/v1}"`), manifest);
});

test("an MCP server at an address, with a token", async (t) => {
	const tokens = new Set();
	const server = http.createServer(async (request, response) => {
		tokens.add(request.headers.authorization);
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		const message = JSON.parse(Buffer.concat(chunks).toString() || "{}");
		const answer = mcpAnswer(message);
		if (!answer) return response.writeHead(request.method === "POST" ? 202 : 405).end();
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer }));
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	t.after(() => server.close());
	const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
	const dir = project();
	const args = ["far", "--from", "mcp", "--url", `http://127.0.0.1:${port}/mcp`, "--env", "FAR_TOKEN"];
	const { code, err } = await pluginNew(dir, args, { FAR_TOKEN: "t-12345678" });
	assert.equal(code, 0, err);
	assert.deepEqual([...tokens], ["Bearer t-12345678"]);
	const folder = path.join(dir, "agent-tools-plugin-far");
	const own = await start(folder, ["--test", "--test-reporter=tap"], { FAR_TOKEN: "t-12345678" }).ended;
	assert.match(own.out, /^# pass 4\n# fail 0/m);
	for (const file of ["plugin.json", "README.md"]) {
		const text = readFileSync(path.join(folder, file), "utf8");
		assert.ok(text.includes("FAR_TOKEN") && !text.includes("t-12345678"), file);
	}
});

/** @param {{method?: string}} message */
function mcpAnswer({ method }) {
	const inputSchema = { type: "object", properties: {} };
	switch (method) {
		case "initialize": {
			const serverInfo = { name: "far", version: "1" };
			return { result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } };
		}
		case "tools/list": {
			const look = { name: "look_far", description: "Look far", inputSchema, annotations: { readOnlyHint: true } };
			return { result: { tools: [look, { name: "go_far", description: "Go far", inputSchema }] } };
		}
		case "tools/call":
			return { result: { content: [{ type: "text", text: "far" }] } };
		default:
			return method?.startsWith("notifications/") || method === undefined
				? undefined
				: { error: { code: -32601, message: "no such method" } };
	}
}

test("a server's file is found from the plugin's folder too", async () => {
	const dir = project();
	writeFileSync(path.join(dir, "server.mjs"), `import ${JSON.stringify(MEMORY)};\n`);
	const { code, err } = await pluginNew(dir, ["own", "--from", "mcp", "--", process.execPath, "server.mjs"]);
	assert.equal(code, 0, err);
	assert.match(err, /^note: server\.mjs is not in the plugin/m);
	const { out } = await start(path.join(dir, "agent-tools-plugin-own"), ["--test", "--test-reporter=tap"]).ended;
	assert.match(out, /^# pass 4\n# fail 0/m);
});

test("where no tool says that it only reads, the test of that is skipped and it is said", async () => {
	const dir = project();
	const tools = [{ name: "go", description: "Go somewhere", inputSchema: { type: "object" } }];
	writeFileSync(path.join(dir, "server.mjs"), serverOf(tools));
	const { code, err } = await pluginNew(dir, ["going", "--from", "mcp", "--", process.execPath, "server.mjs"]);
	assert.equal(code, 0, err);
	assert.match(err, /^note: No call that only reads was answered: write one into `read` of test\/calls\.json/m);
	const { out } = await start(path.join(dir, "agent-tools-plugin-going"), ["--test", "--test-reporter=tap"]).ended;
	assert.match(out, /^# pass 2\n# fail 0\n# cancelled 0\n# skipped 2$/m);
});

/** A server over stdio that needs no package. @param {object[]} tools */
function serverOf(tools) {
	return `import { createInterface } from "node:readline";
const results = {
	initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
	"tools/list": { tools: ${JSON.stringify(tools)} },
};
createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	if (id === undefined) return;
	const result = results[method];
	const rest = result ? { result } : { error: { code: -32601, message: "no such method" } };
	console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
});
`;
}

describe("what cannot be done is explained, and nothing is left", () => {
	/** @type {[string[], number, RegExp][]} */
	const faults = [
		[["My API", "--from", "js"], 2, /`My API` cannot be the name of an npm package\nhint: .*`my-api`/],
		[["../x", "--from", "js"], 2, /`\.\.\/x` cannot be the name of an npm package/],
		[["x", "--from", "js", "--prefix", "_x"], 2, /`_x` cannot be a prefix\nhint: A prefix has letters/],
		[["x"], 2, /needs --from KIND\nhint: The kinds are `openapi`, `mcp`, `cli`, `js`/],
		[["x", "--from", "opnapi"], 2, /there is no kind `opnapi`\nhint: Did you mean `openapi`\?/],
		[["x", "--from", "js", "y"], 2, /takes no source, but got `y`/],
		[["x", "--from", "js", "--url", "http://x"], 2, /has no --url/],
		[["x", "--from", "js", "--env", "A"], 2, /has no --env/],
		[["x", "--from", "mcp"], 2, /needs the server\nhint: .*-- COMMAND ARGS… or --url URL/],
		[["x", "--from", "mcp", "--url", "ftp://x"], 2, /`ftp:\/\/x` is no address of a server/],
		[["x", "--from", "mcp", "--url", "http://x", "--", "y"], 2, /takes a command or --url, but got both/],
		[["x", "--from", "mcp", "--env", "NOBODY_SETS_THIS", "--", "y"], 2, /variable NOBODY_SETS_THIS is not set/],
		[["x", "--from", "mcp", "--", "no-such-command"], 1, /nothing was written: .*command not found: "no-such-command"/],
		[
			["x", "--from", "mcp", "--", process.execPath, "-e", "0"],
			1,
			/nothing was written: .*did not start.*\nhint: .*--env/,
		],
		[["x", "--from", "mcp", "--out", "a/b", "--", process.execPath, "-e", "0"], 1, /nothing was written/],
		[["x", "--from", "cli"], 2, /needs the program\nhint: Usage: /],
		[["x", "--from", "cli", "no-such-program"], 2, /there is no program `no-such-program`\nhint: Install it/],
		[["x", "--from", "openapi", "none.json"], 2, /none\.json does not exist\nhint: Name an OpenAPI/],
		[["x", "--from", "openapi", "page.html"], 1, /page\.html is no OpenAPI document/],
		[["x", "--from", "openapi", "broken.json"], 1, /broken\.json is neither JSON nor YAML/],
		[["x", "--from", "openapi", "empty.json"], 1, /nothing was written: .*no tools\nhint: Correct the document/],
		[["x", "--from", "openapi", "wrong.json"], 1, /nothing was written: .*GET \/a: `x-agent-tools-name` is 5/],
		[["x", "--from", "js", "--out", "page.html"], 1, /cannot be written: \w+\nhint: .*--out FOLDER/],
	];
	const dir = project();
	const operation = { get: { "x-agent-tools-name": 5 } };
	const files = {
		"page.html": "<html>",
		"broken.json": '{"openapi":',
		"empty.json": JSON.stringify({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths: {} }),
		"wrong.json": JSON.stringify({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths: { "/a": operation } }),
	};
	for (const [file, text] of Object.entries(files)) writeFileSync(path.join(dir, file), text);
	const before = readdirSync(dir).sort();
	for (const [args, expected, message] of faults) {
		test(args.join(" "), async () => {
			const { code, err, out } = await pluginNew(dir, args);
			assert.match(err, message);
			assert.match(err, /^error: .*\nhint: /m);
			assert.doesNotMatch(err, /\n\s+at /);
			assert.equal(code, expected);
			assert.equal(out, "");
			assert.deepEqual(readdirSync(dir).sort(), before);
		});
	}
});

test("Ctrl-C while it is tried leaves nothing", { skip: process.platform === "win32" }, async () => {
	const dir = project({ installed: false });
	const hangs = ["--", process.execPath, "-e", "setInterval(() => {}, 1000)"];
	const { child, ended } = start(dir, [CLI, "plugin", "new", "x", "--from", "mcp", ...hangs]);
	await until("draft", () => readdirSync(dir).some((draft) => existsSync(path.join(dir, draft, "plugin.json"))));
	child.kill("SIGINT");
	assert.equal((await ended).code, 130);
	assert.deepEqual(readdirSync(dir), []);
});
