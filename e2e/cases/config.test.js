// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are what is tried

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Runtime } from "../../bindings-node/index.js";
import { FakeHttpServer } from "./fake-http-server.js";
import { inputOf } from "./run-case.js";

// What people write down: agent-tools.json, plugin.json, other clients' files, and the variables in them.

const REPORTING = fileURLToPath(new URL("reporting-server.mjs", import.meta.url));
const COMMAND = fileURLToPath(new URL("../../bindings-node/bin/agent-tools-runtime.js", import.meta.url));
const TOOL = { name: "t", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };

/** The servers in each file of e2e/fixtures/client-configs that are switched on there. */
const SERVERS = {
	"claude-code.mcp.json": ["memory", "database", "issues", "wiki", "legacy-feed", "internal-api"],
	"claude-code.user.json": ["memory", "sentry", "feed"],
	"claude_desktop_config.json": ["filesystem", "Brave Search", "remote-docs", "windows-style"],
	"cline_mcp_settings.json": ["memory", "docs", "feed", "untyped"],
	"codex.config.toml": ["dangerous", "database", "dotted.name", "issues", "memory"],
	"copilot-cli.mcp-config.json": ["memory", "database", "docs"],
	"cursor.mcp.json": ["memory", "database", "docs", "crm", "feed", "typed"],
	"droid.mcp.json": ["memory", "issues"],
	"gemini.settings.json": ["memory", "database", "docs", "feed", "typed"],
	"opencode-v2.jsonc": ["memory"],
	"opencode.jsonc": ["memory", "docs"],
	"pi.mcp.json": ["filesystem", "tools", "docs", "code-host", "crm", "rejected-by-pi"],
	"vscode.mcp.json": ["memory", "webSearch", "notes", "issues", "feed", "gallery", "localSocket"],
	"windows-bom.mcp.json": ["memory"],
	"windsurf.mcp_config.json": ["memory", "docs"],
	"zed.settings.json": ["memory", "docs"],
};

/**
 * A folder of its own with these files: text, bytes, or what becomes JSON.
 *
 * @param {import("node:test").TestContext} t
 * @param {Record<string, unknown>} files
 */
function folder(t, files) {
	const root = mkdtempSync(path.join(tmpdir(), "agent-tools-config-"));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	for (const [name, content] of Object.entries(files)) {
		const file = path.join(root, name);
		mkdirSync(path.dirname(file), { recursive: true });
		const plain = typeof content === "string" || Buffer.isBuffer(content);
		writeFileSync(file, plain ? content : JSON.stringify(content));
	}
	return root;
}

/**
 * @param {import("node:test").TestContext} t
 * @param {object} options
 */
async function open(t, options) {
	const runtime = await Runtime.open({ packageRoot: null, pluginDirs: [], config: false, ...options });
	t.after(() => runtime.close());
	return runtime;
}

/**
 * Variables for the time of a test.
 *
 * @param {import("node:test").TestContext} t
 * @param {Record<string, string>} variables
 */
function setVariables(t, variables) {
	for (const [name, value] of Object.entries(variables)) {
		process.env[name] = value;
		t.after(() => delete process.env[name]);
	}
}

/**
 * @param {Runtime} runtime
 * @param {string} prefix
 */
async function started(runtime, prefix) {
	const { content, isError } = await runtime.call(prefix, "started", {}, { confirm: true });
	assert.equal(isError, false, content[0].text);
	return JSON.parse(content[0].text).result;
}

/** The text of a reply. */
const textOf = (/** @type {any} */ { content }) => content.map((/** @type {any} */ { text }) => text).join("\n");

describe("configuration", { timeout: 120_000 }, () => {
	test("C118 variables expand in every value of every source alike", async (t) => {
		const { files, env } = inputOf("C118");
		const server = await new FakeHttpServer({ tools: [TOOL] }).listen(t);
		setVariables(t, { ...env, PORT: String(server.port) });
		const program = {
			command: "${NODE_PROGRAM}",
			args: [REPORTING, "${TOK}", "${env:TOK}", "$TOK", "${NONE_SET:-d}"],
			env: { GIVEN: "${TOK}-${env:TOK}-$TOK-${TOK:-d}" },
			cwd: "${WORK_FOLDER}",
		};
		setVariables(t, { NODE_PROGRAM: process.execPath, WORK_FOLDER: "inner" });
		const root = folder(t, {
			"mcp.json": files["mcp.json"],
			"other.json": { servers: { imported: program } },
			"agent-tools.json": {
				mcpServers: { own: program },
				openapi: { api: { document: "api.json", baseUrl: "http://127.0.0.1:${PORT}", headers: { X: "${env:TOK}" } } },
				plugins: ["./agent-tools-plugin-x"],
				import: ["./other.json", "./mcp.json"],
			},
			"api.json": {
				openapi: "3.1.0",
				info: { title: "t", version: "1" },
				paths: { "/p": { get: { operationId: "p", responses: {} } } },
			},
			"agent-tools-plugin-x/plugin.json": { prefix: "x", mcp: program },
			"agent-tools-plugin-x/inner/a": "",
			"inner/a": "",
		});
		const runtime = await open(t, {
			config: path.join(root, "agent-tools.json"),
			plugins: [{ prefix: "inline", dir: root, mcp: program }],
		});
		assert.deepEqual((await runtime.status()).warnings, []);

		for (const [prefix, base] of [
			["own", root],
			["imported", root],
			["x", path.join(root, "agent-tools-plugin-x")],
			["inline", root],
		]) {
			const { args, env: given, cwd } = await started(runtime, prefix);
			assert.deepEqual(args, ["abc", "abc", "$TOK", "d"], prefix);
			assert.equal(given.GIVEN, "abc-abc-$TOK-abc", prefix);
			assert.equal(cwd, path.join(base, "inner"), prefix);
		}

		const reply = await runtime.call("s", "t");
		assert.equal(reply.isError, false, textOf(reply));
		for (const { headers } of server.requests) {
			assert.equal(headers.authorization, "Bearer abc");
			assert.equal(headers.x, "abc-$TOK-abc");
		}
		const before = server.requests.length;
		await runtime.call("api", "p");
		assert.equal(server.requests[before].headers.x, "abc");
	});

	test("C118 a missing variable is an error that names it", async (t) => {
		const config = path.join(
			folder(t, { "a.json": { mcpServers: { s: { url: "http://127.0.0.1:1/${NOT_SET_AT_ALL}" } } } }),
			"a.json",
		);
		const reply = await (await open(t, { config })).call("s", "t");
		assert.equal(reply.isError, true);
		assert.match(textOf(reply), /the environment variable NOT_SET_AT_ALL is not set/);
		assert.match(textOf(reply), /Set NOT_SET_AT_ALL/);
	});

	test("C120 a child's variables expand from the host's environment, and its PATH finds its program", async (t) => {
		const manifest = JSON.parse(inputOf("C120").files["plugin.json"]);
		const root = folder(t, {});
		const bin = path.join(root, "bin");
		mkdirSync(bin);
		symlinkSync(process.execPath, path.join(bin, "fake"));
		setVariables(t, { K: "v", ONLY_THE_HOST_HAS_IT: "seen" });
		manifest.mcp.args = [REPORTING];
		manifest.mcp.env.PATH = manifest.mcp.env.PATH.replace("/extra", bin);
		manifest.mcp.env.FROM_HOST = "${ONLY_THE_HOST_HAS_IT}";
		mkdirSync(path.join(root, "agent-tools-plugin-x"));
		writeFileSync(path.join(root, "agent-tools-plugin-x/plugin.json"), JSON.stringify(manifest));
		const { env } = await started(await open(t, { pluginDirs: [root] }), "x");
		assert.equal(env.PATH, `${bin}:${process.env.PATH}`);
		assert.deepEqual([env.K, env.FROM_HOST, env.ONLY_THE_HOST_HAS_IT], ["v", "seen", undefined]);
	});

	test("C122 every spelling of a transport is understood, and what is wrong harms itself only", async (t) => {
		const server = await new FakeHttpServer({ tools: [TOOL] }).listen(t);
		const text = inputOf("C122").files["mcp.json"].replaceAll("{p}", String(server.port));
		const file = JSON.parse(text);
		for (const entry of Object.values(file.mcpServers)) {
			if (entry.command === "fake" && !entry.url)
				Object.assign(entry, { command: process.execPath, args: [REPORTING] });
		}
		const runtime = await open(t, { config: path.join(folder(t, { "mcp.json": file }), "mcp.json") });
		const { plugins, warnings } = await runtime.status();
		const http = ["h0", "h1", "h2", "h3", "h4", "t1", "t2", "u"];
		assert.deepEqual(plugins.map(({ prefix }) => prefix).toSorted(), [...http, "local", "sse"].toSorted());
		assert.equal(warnings.length, 2, warnings.join("\n"));
		const [bad, both] = [/mcpServers\.bad: .*"banana".*"stdio".*"http".*"sse"/, /mcpServers\.both: .*`command`.*`url`/];
		assert.ok(warnings.some((warning) => bad.test(warning)) && warnings.some((warning) => both.test(warning)));
		for (const prefix of http) {
			const reply = await runtime.call(prefix, "t");
			assert.equal(reply.isError, false, `${prefix}: ${textOf(reply)}`);
		}
		await started(runtime, "local");
		const before = server.requests.length;
		await runtime.call("sse", "t");
		const [first] = server.requests.slice(before);
		assert.deepEqual([first.verb, first.path], ["GET", "/sse"], "the older transport begins with a GET");
	});

	test("C124 a byte order mark is read, UTF-16 is named, and no file is rewritten", async (t) => {
		const { files } = inputOf("C124");
		const bom = Buffer.from("efbbbf", "hex");
		const marked = (/** @type {unknown} */ content) =>
			Buffer.concat([bom, Buffer.from(`${JSON.stringify(content)}\r\n`)]);
		const utf16 = Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from(files["plugin.json"].utf16le_bom, "utf16le")]);
		const document = { openapi: "3.1.0", info: { title: "t", version: "1" }, servers: [{ url: "http://127.0.0.1:1" }] };
		const contents = {
			"mcp.json": Buffer.from(files["mcp.json"].hex, "hex"),
			"agent-tools.json": marked({
				mcpServers: { own: { command: process.execPath, args: [REPORTING], envFile: "./.env" } },
				openapi: { api: { document: "./api.json" } },
				import: ["./mcp.json"],
			}),
			"api.json": marked({ ...document, paths: { "/p": { get: { operationId: "p", responses: {} } } } }),
			".env": Buffer.concat([bom, Buffer.from('# variables\r\nFIRST=1\r\nexport QUOTED="a b"\r\n')]),
			"agent-tools-plugin-x/plugin.json": utf16,
			"agent-tools-plugin-y/plugin.json": marked({
				prefix: "y",
				mcp: { command: process.execPath, args: [REPORTING] },
			}),
		};
		const root = folder(t, contents);
		const runtime = await open(t, { config: path.join(root, "agent-tools.json"), pluginDirs: [root] });
		const { plugins, warnings } = await runtime.status();
		assert.deepEqual(plugins.map(({ prefix }) => prefix).toSorted(), ["api", "own", "s", "y"]);
		assert.equal(warnings.length, 1, warnings.join("\n"));
		assert.match(warnings[0], /agent-tools-plugin-x.*plugin\.json: the file is UTF-16; save it as UTF-8/);
		const { env } = await started(runtime, "own");
		assert.deepEqual([env.FIRST, env.QUOTED], ["1", "a b"]);
		await started(runtime, "y");
		assert.match(textOf(await runtime.discover("api", "p")), /"toolName":"p"/);
		for (const [name, content] of Object.entries(contents)) {
			assert.deepEqual(readFileSync(path.join(root, name)), content, name);
		}
	});

	test("C126 a Windows path that lost its backslashes, or has single ones, is explained", async (t) => {
		const text = inputOf("C126").files["mcp.json"];
		const single = await open(t, { config: path.join(folder(t, { "mcp.json": text }), "mcp.json") });
		const { warnings } = await single.status();
		assert.equal(warnings.length, 1);
		assert.match(
			warnings[0],
			/mcp\.json: line 1, column \d+: .*Write each backslash of a path twice \(C:\\\\Users\\\\me\), or write \/ instead/,
		);

		const { u } = JSON.parse(text.replace(String.raw`C:\Users\me\fake.exe`, "x")).mcpServers;
		const lost = await open(t, { config: path.join(folder(t, { "mcp.json": { mcpServers: { u } } }), "mcp.json") });
		const reply = await lost.call("u", "t");
		assert.equal(reply.isError, true);
		const said = JSON.parse(textOf(reply));
		assert.match(said.error, /"C:UsersmeFake\.exe"/);
		assert.match(`${said.error} ${said.hint}`, /after the drive letter/);
	});

	test("files of other clients are read as they are", async (t) => {
		const fixtures = fileURLToPath(new URL("../fixtures/client-configs/", import.meta.url));
		const root = folder(t, {});
		cpSync(fixtures, root, { recursive: true });
		for (const [file, servers] of Object.entries(SERVERS)) {
			const config = path.join(root, "agent-tools.json");
			writeFileSync(config, JSON.stringify({ import: [`./${file}`] }));
			const { plugins } = await (await open(t, { config })).status();
			assert.deepEqual(
				plugins.map(({ name }) => name),
				servers,
				file,
			);
		}
	});

	test("an entry of the project replaces the user's, and both are found from a folder below", async (t) => {
		const program = (/** @type {string} */ word) => ({ command: process.execPath, args: [REPORTING, word] });
		const root = folder(t, {
			// The project's entry names a program by its path, which the user has to allow.
			"user/agent-tools.json": {
				mcpServers: { both: program("user"), user: program("user") },
				projects: { commands: [process.execPath] },
			},
			"project/agent-tools.json": { mcpServers: { both: program("project") } },
			"project/below/a": "",
		});
		setVariables(t, { AGENT_TOOLS_CONFIG_DIR: path.join(root, "user") });
		const before = process.cwd();
		process.chdir(path.join(root, "project/below"));
		t.after(() => process.chdir(before));
		const runtime = await open(t, { config: true });
		assert.deepEqual((await started(runtime, "both")).args, ["project"]);
		const { args, cwd } = await started(runtime, "user");
		assert.deepEqual([args, cwd], [["user"], path.join(root, "project/below")]);

		setVariables(t, { AGENT_TOOLS_CONFIG: path.join(root, "user/agent-tools.json") });
		const named = await open(t, { config: true });
		assert.deepEqual((await started(named, "both")).args, ["user"], "the named file counts alone");
	});

	test("a tool that is left out is neither found nor callable", async (t) => {
		const server = { command: process.execPath, args: [REPORTING] };
		const config = path.join(
			folder(t, { "a.json": { mcpServers: { all: server, none: { ...server, exclude: ["start*"] } } } }),
			"a.json",
		);
		const runtime = await open(t, { config });
		await started(runtime, "all");
		assert.match(textOf(await runtime.discover("all")), /started/);
		assert.doesNotMatch(textOf(await runtime.discover("none")), /How this server was started/);
		const reply = await runtime.call("none", "started", {}, { confirm: true });
		assert.equal(JSON.parse(textOf(reply)).code, "UNKNOWN_TOOL");
	});

	test("an edited file is picked up, and a broken one leaves what there is", async (t) => {
		const server = { command: process.execPath, args: [REPORTING] };
		const root = folder(t, { "agent-tools.json": { mcpServers: { a: server } } });
		const config = path.join(root, "agent-tools.json");
		const runtime = await open(t, { config, watch: true });
		const prefixes = async () => (await runtime.status()).plugins.map(({ prefix }) => prefix);
		const becomes = async (/** @type {string[]} */ wanted) => {
			for (let tries = 0; tries < 100; tries++) {
				if (String(await prefixes()) === String(wanted)) return;
				await sleep(100);
			}
			assert.deepEqual(await prefixes(), wanted);
		};
		await started(runtime, "a");
		writeFileSync(config, JSON.stringify({ mcpServers: { a: server, b: server } }));
		await becomes(["a", "b"]);
		await started(runtime, "b");
		writeFileSync(config, '{"mcpServers": {"a": ');
		for (let tries = 0; tries < 100 && (await runtime.status()).warnings.length === 0; tries++) await sleep(100);
		assert.match((await runtime.status()).warnings.join("\n"), /agent-tools\.json: line 1/);
		assert.deepEqual(await prefixes(), ["a", "b"]);
		writeFileSync(config, JSON.stringify({ mcpServers: { b: server } }));
		await becomes(["b"]);
		assert.deepEqual((await runtime.status()).warnings, []);
	});

	test("the command reads the file that it is given, and says what is wrong with one", (t) => {
		const root = folder(t, {
			"good.json": { mcpServers: { a: { command: process.execPath, args: [REPORTING] } } },
			"folder/agent-tools.json": { mcpServers: { a: { command: process.execPath, args: [REPORTING] } } },
			"bad.json": { mcpServers: { a: { comand: "x" } } },
			"agent-tools-plugin-x/plugin.json": { prefix: "x", adapter: "./gone.mjs", skils: [] },
		});
		const run = (/** @type {string[]} */ ...args) =>
			spawnSync(process.execPath, [COMMAND, ...args], { cwd: root, encoding: "utf8" });

		const listed = run("list", "--config", "good.json", "--json");
		assert.equal(listed.status, 0, listed.stderr);
		const [first] = JSON.parse(listed.stdout).plugins;
		assert.deepEqual([first.prefix, first.state, first.tools], ["a", "ready", 1]);

		const missing = run("list", "--config", "nowhere.json");
		assert.equal(missing.status, 2);
		assert.match(missing.stderr, /the configuration file .*nowhere\.json does not exist/);

		const good = run("validate", "good.json");
		assert.deepEqual([good.status, good.stdout, good.stderr], [0, "a: 1 tool, 0 skills\nvalid\n", ""]);
		assert.deepEqual(run("validate", "folder").stdout, good.stdout, "a folder means the file in it");
		const bad = run("validate", "bad.json");
		assert.deepEqual([bad.status, bad.stdout], [1, "not valid: 1 error\n"]);
		assert.match(bad.stderr, /mcpServers\.a: unknown key "comand"; did you mean "command"\?/);

		const plugin = run("validate", "agent-tools-plugin-x", "--json");
		assert.equal(plugin.status, 1);
		const { valid, problems } = JSON.parse(plugin.stdout);
		const errors = problems.filter(({ error }) => error).map(({ message }) => message);
		assert.equal(valid, false);
		assert.match(errors.join("\n"), /"skils": did you mean "skills"\?.*gone\.mjs does not exist/s);
	});
});
