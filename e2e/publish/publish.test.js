import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { stage } from "../../scripts/packages/stage.mjs";
import { workspaceVersion } from "../../scripts/packages/workspace.mjs";
import { NODE_MAJORS } from "../harness/node-versions.js";
import { fixturePlugin, installed, ROOT } from "../harness/paths.js";
import { StdioSession } from "../harness/stdio-session.js";
import { ScriptedModel } from "../scripted-model/scripted-model.js";
import { newcomer } from "./npm-client.js";
import { quickStartTests } from "./quick-start/quick-starts.js";
import { startRegistry } from "./registry.js";

// What a person gets who installs what we publish: the packages go through a registry, and nothing of the repository
// helps.

const MAIN = "@rckflr/agent-tools-runtime";
const DEMO = "agent-tools-plugin-demo";
const TOKENIZER = "gpt-tokenizer";
const PI_EXTENSION = "agent-tools-runtime-pi-extension";
const VERSION = workspaceVersion();

describe("published packages", async () => {
	const dir = mkdtempSync(path.join(tmpdir(), "agent-tools-publish-"));
	const registry = await startRegistry(dir);
	after(async () => {
		await registry.stop();
		rmSync(dir, { recursive: true, force: true });
	});

	const publisher = newcomer(dir, registry.url, 24);
	for (const folder of stage({ out: path.join(dir, "staged") })) {
		const { code, stderr } = await publisher.run("npm", ["publish", folder]);
		assert.equal(code, 0, stderr);
	}

	quickStartTests(dir, registry.url);

	for (const major of NODE_MAJORS) {
		test(`npx on Node ${major}: list`, async () => {
			const person = newcomer(dir, registry.url, major);
			const empty = await person.run("npx", ["--yes", MAIN, "list"]);
			assert.equal(empty.code, 0, empty.stderr);
			assert.match(empty.stderr, /no plugins/);

			const env = { AGENT_TOOLS_PLUGINS_DIR: fixturePlugin("notes") };
			const one = await person.run("npx", ["--yes", MAIN, "list"], { env });
			assert.match(one.stdout, /^notes +ready/m, one.stderr);
			assert.deepEqual(readdirSync(person.work), [], "nothing is left in the folder");
		});

		test(`npx on Node ${major}: the version is the one that was published`, async () => {
			const { stdout, stderr } = await newcomer(dir, registry.url, major).run("npx", ["--yes", MAIN, "--version"]);
			assert.equal(stdout.trim(), `agent-tools-runtime ${VERSION}`, stderr);
		});

		for (const generation of /** @type {const} */ (["legacy", "modern"])) {
			test(`npx on Node ${major}: an MCP session over a pipe, ${generation}`, async (t) => {
				const { work, env } = newcomer(dir, registry.url, major);
				const session = new StdioSession(generation, "npx", ["--yes", "-p", MAIN, "-p", DEMO, "agent-tools-runtime"], {
					cwd: work,
					env,
				});
				t.after(() => session.child.kill("SIGKILL"));
				await session.open();
				const { result } = await session.request("tools/list");
				assert.deepEqual(
					result.tools.map(({ name }) => name),
					["agent_tools_discover", "agent_tools_call", "agent_tools_run_skill"],
				);
				const call = { toolName: "list_issues", arguments: {} };
				for (const params of [
					{ name: "agent_tools_call", arguments: { plugin: "demo", ...call } },
					// The facade's names are answered in every view.
					{ name: "agent_tools_demo_call", arguments: call },
				]) {
					const called = await session.request("tools/call", params);
					assert.equal(called.result.isError ?? false, false, JSON.stringify(called));
				}
				session.child.stdin.end();
				assert.deepEqual(await session.ended, { code: 0, signal: null });
			});
		}
	}

	test("a project that depends on it installs from its lockfile, and imports it", async () => {
		const { run, work } = newcomer(dir, registry.url, 20);
		writeFileSync(path.join(work, "package.json"), JSON.stringify({ private: true, type: "module" }));
		const steps = [
			["npm", ["install", MAIN, DEMO]],
			["npm", ["ci"]],
		];
		for (const [command, args] of steps) {
			const { code, stderr } = await run(command, args);
			assert.equal(code, 0, stderr);
		}
		writeFileSync(path.join(work, "main.js"), PROGRAM);
		const { code, stdout, stderr } = await run("node", ["main.js"]);
		assert.equal(code, 0, stderr);
		assert.match(stdout, /agent_tools_demo_discover/);
	});

	test("the tokenizer of `cost` is not installed unasked, and found where it is", async () => {
		const { run, work } = newcomer(dir, registry.url, 20);
		writeFileSync(path.join(work, "package.json"), JSON.stringify({ private: true }));
		const install = await run("npm", ["install", MAIN, DEMO]);
		assert.equal(install.code, 0, install.stderr);
		const tokenizer = path.join(work, "node_modules", TOKENIZER);
		assert.ok(!existsSync(tokenizer));
		const without = await run("npx", ["agent-tools", "cost"]);
		assert.equal(without.code, 1, without.stdout);
		assert.match(without.stderr, /^hint: .*npm install gpt-tokenizer$/m);

		cpSync(path.join(ROOT, "node_modules", TOKENIZER), tokenizer, { recursive: true });
		const counted = await run("npx", ["agent-tools", "cost", "--plugin", "demo"]);
		assert.equal(counted.code, 0, counted.stderr);
		assert.match(counted.stdout, /^1 plugin with \d+ tools and skills, in tokens of o200k_base$/m);
	});

	test("pi install: the extension's tools reach the model", async (t) => {
		const person = newcomer(dir, registry.url, 24);
		const agentDir = path.join(person.home, "agent");
		mkdirSync(agentDir);
		const env = { PI_CODING_AGENT_DIR: agentDir, PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" };
		const pi = (...args) => person.run("node", [installed("pi"), ...args], { env });

		const install = await pi("install", `npm:${PI_EXTENSION}`);
		assert.equal(install.code, 0, install.stderr);
		assert.ok(existsSync(path.join(agentDir, "npm/node_modules", MAIN)), install.stdout);

		const turns = [{ tool_calls: [{ name: "agent_tools_help", arguments: {} }] }, { text: "done" }];
		const model = await ScriptedModel.start({ turns });
		t.after(() => model.stop());
		writeFileSync(path.join(agentDir, "models.json"), JSON.stringify(scriptedProvider(model.baseUrl)));
		const session = ["--no-session", "--provider", "scripted", "--model", "scripted"];
		const prompt = await pi("-p", ...session, "go");
		assert.equal(prompt.code, 0, prompt.stderr);
		const [asked, answered] = model.requests;
		assert.ok(asked?.tool_names.includes("agent_tools_help"), JSON.stringify(asked?.tool_names));
		assert.match(answered?.tool_result ?? "", /agent_tools_<prefix>_discover/);
	});
});

const PROGRAM = `
	import { Runtime } from "${MAIN}";
	const runtime = await Runtime.open();
	console.log((await runtime.tools()).map(({ name }) => name).join(" "));
	await runtime.close();
`;

function scriptedProvider(baseUrl) {
	const models = [{ id: "scripted", contextWindow: 200_000, maxTokens: 8192 }];
	return { providers: { scripted: { baseUrl, api: "openai-completions", apiKey: "unused", models } } };
}
