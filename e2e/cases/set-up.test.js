// Plugins that say which variables and programs they need: what is told where one is missing, and what they see.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { PluginFolder, tool } from "../life/plugin-folder.js";
import { DOORS } from "./doors.js";

const COMMAND = path.join(import.meta.dirname, "../../bindings-node/bin/agent-tools-runtime.js");

const NEEDS = {
	NEEDED_LOGIN: {
		description: "a login that may read.",
		from: "https://tracker.example/tokens",
		required: true,
		secret: true,
		or: ["NEEDED_INSTEAD"],
	},
	NEEDED_PLACE: "where the service is",
};
const SENTENCE = "set NEEDED_LOGIN or NEEDED_INSTEAD (a login that may read; from https://tracker.example/tokens)";

/** Tells the names of the variables that it sees, and the value of one. */
const ADAPTER = `
import { writeFileSync } from "node:fs";
writeFileSync(new URL("started", import.meta.url), "");
export default class {
	listTools() {
		return [{ name: "see", inputSchema: { type: "object", properties: {} } }];
	}
	call() {
		const { NEEDED_LOGIN, NEEDED_INSTEAD } = process.env;
		return { names: Object.keys(process.env), value: [NEEDED_LOGIN, NEEDED_INSTEAD] };
	}
}`;

const PRINT = "JSON.stringify({ names: Object.keys(process.env), value: process.env.NEEDED_LOGIN })";

/** Sets variables until the test ends. @param {import("node:test").TestContext} t @param {Record<string, string>} variables */
function set(t, variables) {
	Object.assign(process.env, variables);
	t.after(() => {
		for (const name of Object.keys(variables)) delete process.env[name];
	});
}

/** A folder with a plugin of modules and one of a program. @param {import("node:test").TestContext} t */
function plugins(t) {
	const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-set-up-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	write(folder, "mod", { adapter: "./adapter.mjs", readonlyTools: ["see"], environment: NEEDS });
	writeFileSync(path.join(folder, "agent-tools-plugin-mod/adapter.mjs"), ADAPTER);
	const args = ["-p", PRINT];
	const tools = { look_around: { description: "Looks around the tracker", readOnly: true, args } };
	write(folder, "prog", { cli: { command: process.execPath, tools }, environment: NEEDS });
	return { folder, started: () => existsSync(path.join(folder, "agent-tools-plugin-mod/started")) };
}

/** @param {string} folder @param {string} prefix @param {object} settings */
function write(folder, prefix, settings) {
	const dir = path.join(folder, `agent-tools-plugin-${prefix}`);
	mkdirSync(dir, { recursive: true });
	writeFileSync(path.join(dir, "plugin.json"), JSON.stringify({ prefix, description: `The ${prefix}`, ...settings }));
	return dir;
}

describe("set-up", { timeout: 180_000 }, () => {
	for (const [name, open] of Object.entries(DOORS)) {
		test(`${name}: what is missing is told wherever the plugin is shown, and nothing is started`, async (t) => {
			const plugin = plugins(t);
			const door = await open(t, /** @type {any} */ (plugin));

			for (const [prefix, toolName] of [
				["mod", "see"],
				["prog", "look_around"],
			]) {
				const { isError, code, failure } = await door.call(`agent_tools_${prefix}_call`, { toolName });
				assert.equal(isError, true);
				assert.equal(code, "CONFIG_INVALID");
				assert.equal(failure.error, `the plugin ${prefix} needs set-up: ${SENTENCE}`);
				assert.match(failure.hint, /^Tell the user/);
				assert.equal(failure.retryable, false);
				assert.equal(failure.retryAfterMs, undefined);
			}
			const help = await door.call("agent_tools_help", {});
			assert.ok(help.text.includes(`The prog. Needs set-up: ${SENTENCE}.`), help.text);

			const overview = await door.call("agent_tools_discover", {});
			assert.match(overview.text, /^prog \(1, needs set-up\): The prog$/m);
			assert.ok(overview.text.includes(`Needs set-up: prog: ${SENTENCE}. mod: ${SENTENCE}.`), overview.text);
			assert.doesNotMatch(overview.text, /in a moment/);

			const found = await door.call("agent_tools_discover", { query: "look around the tracker" });
			assert.match(found.text, /read-only, needs set-up: Looks around the tracker/);
			assert.equal(found.found.matches[0].needsSetUp, SENTENCE);
			assert.ok(found.text.includes(`Needs set-up: prog: ${SENTENCE}.`), found.text);
			assert.match(found.text, /Not searched: mod \(needs set-up: set NEEDED_LOGIN or NEEDED_INSTEAD\)\.$/m);
			const own = await door.call("agent_tools_prog_discover", {});
			assert.ok(own.text.includes(`State: needs set-up: ${SENTENCE}.`), own.text);
			const unknown = await door.call("agent_tools_mod_discover", {});
			assert.equal(unknown.failure.error, `the plugin mod needs set-up: ${SENTENCE}`);

			const flat = await door.tools({ kind: "flat" });
			const shown = flat.find((each) => each.name === "prog_look_around");
			assert.equal(shown.description, "Looks around the tracker. Needs set-up: set NEEDED_LOGIN or NEEDED_INSTEAD.");
			for (const tool of ["prog_look_around", "mod_see"]) {
				const { code } = await door.call(tool, {}, { view: { kind: "flat" } });
				assert.equal(code, "CONFIG_INVALID", tool);
			}
			assert.equal(plugin.started(), false);
		});

		test(`${name}: a plugin sees what it declares and what every child gets, and its secret is not shown`, async (t) => {
			set(t, { NEEDED_INSTEAD: "canary-of-any-name", UNDECLARED_VARIABLE: "x" });
			const door = await open(t, /** @type {any} */ (plugins(t)));
			const basic =
				/^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_\w+|TZ|TE?MP(DIR)?|XDG_\w+|\w+_(PROXY|proxy)|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|AGENT_TOOLS_CHILD_OF)$/;
			for (const [prefix, toolName] of [
				["mod", "see"],
				["prog", "look_around"],
			]) {
				const { isError, text } = await door.call(`agent_tools_${prefix}_call`, { toolName });
				assert.equal(isError, false, text);
				const names = text.match(/[A-Za-z_]\w*(?=\\?")/g) ?? [];
				assert.ok(names.includes("NEEDED_INSTEAD"), text);
				assert.ok(names.includes("PATH"), text);
				for (const unseen of ["UNDECLARED_VARIABLE", "NEEDED_PLACE"]) {
					assert.ok(!names.includes(unseen), `${prefix} sees ${unseen}: ${text}`);
				}
				assert.ok(!text.includes("canary-of-any-name"), text);
				const others = Object.keys(process.env).filter((name) => name !== "NEEDED_INSTEAD" && !basic.test(name));
				const seen = others.filter((name) => names.includes(name));
				assert.deepEqual(seen, [], prefix);
			}
		});
	}

	test("the list and validate say what is missing, and that nothing is wrong", async (t) => {
		const { folder } = plugins(t);
		write(folder, "tool", {
			cli: { command: "no-such-program" },
			programs: { "no-such-program": { install: "https://programs.example" } },
		});
		const run = (/** @type {string[]} */ ...args) => {
			const env = { ...process.env, AGENT_TOOLS_PLUGINS_DIR: folder };
			return spawnSync(process.execPath, [COMMAND, ...args], { encoding: "utf8", env });
		};
		const list = run("list").stdout;
		assert.ok(list.match(/^prog +needs set-up +1 +0 +/m), list);
		assert.ok(list.includes(SENTENCE), list);
		assert.match(list, /^tool +needs set-up .*install no-such-program \(from https:\/\/programs\.example\)$/m);

		const validated = run("validate", path.join(folder, "agent-tools-plugin-prog"));
		assert.equal(validated.stderr, `warning: the plugin prog needs set-up: ${SENTENCE}\n`);
		assert.equal(validated.stdout, "prog: 1 tool, 0 skills\nvalid\n");
		assert.equal(validated.status, 0);
	});

	test("with the variable there a reload makes it work; without it again, what was listed is still found", async (t) => {
		const kept = new PluginFolder();
		kept.add("a", { tools: [tool("look_up")], manifest: { environment: { NEEDED_LATER: { required: true } } } });
		const runtime = await Runtime.open(kept.options);
		t.after(() => runtime.close());
		const state = async () => (await runtime.status()).plugins.find(({ prefix }) => prefix === "a");
		assert.deepEqual([(await state())?.state, (await state())?.reason], ["needs set-up", "set NEEDED_LATER"]);
		assert.equal((await runtime.call("a", "look_up")).isError, true);
		assert.deepEqual(kept.starts("a"), []);

		set(t, { NEEDED_LATER: "x" });
		await runtime.reload();
		assert.equal((await runtime.call("a", "look_up")).isError, false);
		assert.equal(kept.starts("a").length, 1);

		delete process.env.NEEDED_LATER;
		await runtime.reload();
		assert.equal((await state())?.state, "needs set-up");
		const { content } = await runtime.discover("a", "look up");
		assert.match(/** @type {{text: string}} */ (content[0]).text, /read-only, needs set-up/);
		assert.equal((await runtime.call("a", "look_up")).isError, true);
		assert.equal(kept.starts("a").length, 1);
	});

	test("`env` of the plugin's item in agent-tools.json gives the value, also to a service without a program", async (t) => {
		const { folder } = plugins(t);
		/** @type {http.IncomingMessage[]} */
		const requests = [];
		const service = http.createServer((request, response) => {
			requests.push(request);
			response.setHeader("content-type", "application/json").end("[]");
		});
		t.after(() => service.close());
		await once(service.listen(0, "127.0.0.1"), "listening");
		const { port } = /** @type {import("node:net").AddressInfo} */ (service.address());
		const dir = write(folder, "api", {
			openapi: {
				document: "./api.json",
				baseUrl: `http://127.0.0.1:${port}`,
				// biome-ignore lint/suspicious/noTemplateCurlyInString: the runtime expands it
				headers: { "X-Login": "${NEEDED_LOGIN}" },
			},
			environment: NEEDS,
		});
		const operation = { operationId: "read", responses: { 200: { description: "all" } } };
		const document = { openapi: "3.1.0", info: { title: "T", version: "1" }, paths: { "/": { get: operation } } };
		writeFileSync(path.join(dir, "api.json"), JSON.stringify(document));
		const config = path.join(folder, "agent-tools.json");
		const open = async (/** @type {object} */ env) => {
			const items = ["api", "mod"].map((name) => ({ path: `./agent-tools-plugin-${name}`, env }));
			writeFileSync(config, JSON.stringify({ plugins: items }));
			const runtime = await Runtime.open({ packageRoot: null, pluginDirs: [], config });
			t.after(() => runtime.close());
			return runtime;
		};
		const without = await open({});
		assert.equal((await without.discover("api")).isError, false, "its document is known");
		assert.equal((await without.call("api", "read")).isError, true);

		const given = await open({ NEEDED_LOGIN: "given-by-the-file" });
		assert.equal((await given.call("api", "read")).isError, false);
		assert.equal((await given.call("mod", "see")).isError, false);
		set(t, { NEEDED_INSTEAD: "from-the-other" });
		const instead = await open({});
		assert.equal((await instead.call("api", "read")).isError, false);
		assert.deepEqual(
			requests.map(({ headers }) => headers["x-login"]),
			["given-by-the-file", "from-the-other"],
		);
	});
});
