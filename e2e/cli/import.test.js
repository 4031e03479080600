// `agent-tools import`, from files of other clients.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { NAMES } from "../../bindings-node/lib/cli/import/sources.js";
import { FIXTURES } from "../harness/paths.js";
import { LIMIT, ON_TERMINAL, withoutControls } from "./desk.js";
import { newcomer, OWN } from "./newcomer.js";

const NOTES = { command: process.execPath, args: [path.join(FIXTURES, "mcp-server.mjs")] };
const ITSELF = { command: "npx", args: ["-y", "@rckflr/agent-tools-runtime", "mcp"] };

/** @param {import("node:test").TestContext} t */
function withClients(t) {
	const user = newcomer(t);
	const put = (/** @type {string} */ name, /** @type {unknown} */ content) => {
		const file = path.join(user.folder, name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
		return file;
	};
	put(".claude.json", {
		mcpServers: { "agent-tools": ITSELF, notes: NOTES, off: { ...NOTES, disabled: true }, empty: { type: "stdio" } },
	});
	put(".codex/config.toml", `[mcp_servers.jot]\ncommand = "node"\nargs = ["jot.js"]\n`);
	return { ...user, put };
}

describe("import", LIMIT, () => {
	test("where nobody can be asked: what there is, exit 3, and nothing is written", async (t) => {
		const { run, text } = withClients(t);
		const { code, out, err } = await run(["import"]);
		assert.equal(code, 3);
		assert.equal(out, "claude-code: notes, off, empty\ncodex: jot\n");
		assert.match(
			err,
			/^hint: To use them: agent-tools import claude-code --yes; or all: agent-tools import --all --yes\n$/,
		);
		const named = await run(["import", "codex"]);
		assert.equal(named.code, 3);
		assert.match(named.out, /^\+ {2}"import": \[\n\+ {4}"codex"$/m);
		assert.match(named.err, /Nothing was written[\s\S]*--yes/);
		assert.equal((await run(["import", "--dry-run"])).code, 0);
		assert.equal(text(), undefined);
	});

	test("names are written beside what stands there; it says what is used, and what is left out and why", async (t) => {
		const { run, text, write } = withClients(t);
		write(OWN);
		const { code, err } = await run(["import", "claude-code", "codex", "--yes"]);
		assert.equal(code, 0, err);
		assert.match(err, /^Claude Code: notes$/m);
		assert.match(err, /^ {2}off is left out: it is switched off$/m);
		assert.match(err, /^ {2}empty is left out: it has neither `command` nor `url`$/m);
		assert.match(err, /^ {2}agent-tools is left out: it is agent-tools itself$/m);
		assert.match(err, /^Codex: jot$/m);
		const written = String(text());
		for (const comment of OWN.match(/\/\/.*|\/\*.*?\*\//g) ?? []) assert.ok(written.includes(comment), comment);
		assert.equal((await run(["validate", "--json", "../user/agent-tools.json"])).err, "");
		const listed = JSON.parse((await run(["list", "--json"])).out).plugins.map((/** @type {any} */ one) => one.prefix);
		assert.ok(listed.includes("notes") && listed.includes("jot") && listed.includes("old"), listed);
		assert.ok(!listed.includes("agent-tools"), "it does not start itself");

		const again = await run(["import", "claude-code", "--yes"]);
		assert.equal(again.code, 0);
		assert.match(again.err, /already there/);
		assert.equal(text(), written);
	});

	test("the clients that the command knows are those that the runtime reads by name", async (t) => {
		const { run, write } = newcomer(t);
		write('{ "import": ["nobody"] }');
		const { err } = await run(["list"]);
		assert.ok(err.includes(`nor one of the clients ${NAMES.join(", ")}`), err);
	});

	test("a client without a file, one that nobody knows, and a file that is not there", async (t) => {
		const { run, text } = withClients(t);
		const droid = await run(["import", "droid", "--yes"]);
		assert.deepEqual([droid.code, /no file of droid is here/.test(droid.err)], [1, true]);
		const unknown = await run(["import", "claud-code", "--yes"]);
		assert.equal(unknown.code, 2);
		assert.match(unknown.err, /hint: Did you mean `claude-code`\? It knows .*--from FILE/);
		const missing = await run(["import", "--from", "nowhere.json"]);
		assert.deepEqual([missing.code, /nowhere\.json does not exist/.test(missing.err)], [2, true]);
		assert.equal(text(), undefined);
	});

	test("the file of another client; in a project it is named from there, and what it may not start is said", async (t) => {
		const { run, text, ofProject, put } = withClients(t);
		put("project/their.json", {
			context_servers: { shell: { command: { path: "/bin/sh", args: [] } }, web: { url: "https://example.com/mcp" } },
		});
		const { code, out } = await run(["import", "--from", "their.json", "--scope", "project", "--yes", "--json"]);
		assert.equal(code, 0);
		const { clients, state } = JSON.parse(out);
		assert.deepEqual([state, clients[0].client, clients[0].servers], ["written", "./their.json", ["web"]]);
		assert.equal(clients[0].leftOut[0].name, "shell");
		assert.match(clients[0].leftOut[0].why, /^"\/bin\/sh" is none of the launchers/);
		assert.deepEqual(JSON.parse(String(text(ofProject))).import, ["./their.json"]);
		assert.equal(text(), undefined);
	});

	for (const [what, held, said] of [
		["broken", '{\n  "mcpServers": [', /^error: .*br\.json: line 2, column \d+: .+\nhint: Nothing was written\./],
		["without servers", "{}", /^error: br\.json names no MCP server\nhint: Nothing was written\./],
	]) {
		test(`a file that is ${what} is not taken`, async (t) => {
			const { run, text, project } = newcomer(t);
			writeFileSync(path.join(project, "br.json"), String(held));
			const { code, err } = await run(["import", "--from", "br.json", "--yes"]);
			assert.equal(code, 1);
			assert.match(err, /** @type {RegExp} */ (said));
			assert.equal(text(), undefined);
		});
	}

	test("nobody has servers: it says so, and what to do", async (t) => {
		const { run } = newcomer(t);
		const { code, out, err } = await run(["import"]);
		assert.deepEqual([code, out], [0, ""]);
		assert.match(err, /No client here has MCP servers[\s\S]*hint: .*--from FILE.*agent-tools add/);
	});

	test(
		"on a terminal the clients are offered, the difference is shown, and a yes writes it",
		ON_TERMINAL,
		async (t) => {
			const { onTerminal, text } = withClients(t);
			const { code, shown } = await onTerminal(
				["import"],
				[
					[/Whose servers shall be used/, " "],
					[/◼|\[\+\]/, "\r"],
					[/Write this\?/, "y"],
				],
			);
			assert.equal(code, 0, shown);
			assert.match(withoutControls(shown), /Claude Code: notes/);
			assert.deepEqual(JSON.parse(String(text())).import, ["claude-code"]);
		},
	);
});
