import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { authorizationServer } from "../oauth/authorization-server.js";
import { visit } from "../oauth/plugin.js";
import { protectedServer } from "../oauth/protected-server.js";
import { SERVER } from "./desk.js";

/**
 * @typedef {import("node:test").TestContext} TestContext
 * @typedef {ReturnType<typeof import("./desk.js").desk>} Desk
 *
 * @typedef {object} Case what a command is run with, and what of it stands on stdout
 * @property {string[]} args
 * @property {RegExp | ""} out the whole of stdout in a pipe
 * @property {number} [code]
 * @property {(desk: Desk, t: TestContext) => unknown} [once] before all runs
 * @property {(desk: Desk) => unknown} [before] each run
 * @property {import("../harness/terminal.js").Reaction[]} [reactions]
 * @property {string} [input] where no terminal is
 * @property {RegExp} [err] on stderr, in a pipe
 * @property {RegExp} [laidOut] lines that are as they are, as they are somebody's text or to be pasted
 */

/** Longer than any terminal, as services write them. */
const WORDS = `Files an item. ${"Nobody but the desk knows where, and why. ".repeat(4)}`;
const INITIALIZE = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "0" } },
};
const SHOW = ["call", "desk", "show", "--arg", "title=a"];
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const HASH = "f".repeat(64);
const RECEIPT = "c0000000-1";

/** A message that is broken on a terminal. */
const WHOLE = /^\w+: .* unknown field `mcpServer`, .*; did you mean `mcpServers`\?$/m;

/** @param {Desk} desk */
const called = async ({ run }) => {
	await run(SHOW);
	await run(["call", "desk", "file", "--arg", "title=a"]);
	await run(["call", "desk", "fail"]);
};

/** Another definition than the one that was met at first. @param {Desk} desk */
const changed = async ({ run, log }) => {
	rmSync(`${log}.says`, { force: true });
	rmSync(path.join(path.dirname(log), "data"), { recursive: true, force: true });
	await run(["list"]);
	writeFileSync(`${log}.says`, WORDS);
};

/** @param {string} name */
const keep =
	(name) =>
	/** @param {Desk} desk */
	async ({ run }) => {
		await run(["secret", "set", name], { input: "a value\n" });
	};

/** A plugin `service`, whose server wants a login. @type {Case["once"]} */
const protectedService = async ({ user }, t) => {
	const issuer = await authorizationServer(t);
	const { url } = await protectedServer(t, { isGood: issuer.isGood, issuer: issuer.url });
	const mcpServers = { service: { url, auth: { oauth: {} } } };
	writeFileSync(path.join(user, "agent-tools.json"), JSON.stringify({ mcpServers }));
};
/** @type {NonNullable<Case["reactions"]>[number]} */
const IN_BROWSER = [/^ {2}(http:\S+)\s*$/m, ([, url]) => visit(String(url))];

/** A plugin that does not start, and a file of a project that is wrong in many words. @param {Desk} desk */
const broken = ({ project, user, server }) => {
	const mcpServers = { desk: server, gone: { command: "a-program-that-is-not-on-this-machine" } };
	writeFileSync(path.join(user, "agent-tools.json"), JSON.stringify({ mcpServers, plugins: onlyRepositoryPlugins() }));
	writeFileSync(path.join(project, "agent-tools.json"), JSON.stringify({ mcpServer: {}, policy: { trust: 1 } }));
};

/** By command. @type {Record<string, Case[]>} */
export const cases = {
	mcp: [
		{
			args: ["mcp"],
			reactions: [[/Ctrl-D ends/, CTRL_D]],
			input: `${JSON.stringify(INITIALIZE)}\n`,
			out: /^\{"\S.*\}\n$/,
		},
	],
	http: [
		{
			args: ["http", "--port", "0"],
			code: 130,
			reactions: [[/Ctrl-C ends/, CTRL_C]],
			out: "",
			laidOut: /^ {4}\{"mcpServers/,
		},
		{
			args: ["http", "--port", "0", "--token", "a-token-of-sixteen-letters", "--host", "0.0.0.0"],
			code: 130,
			reactions: [[/Ctrl-C ends/, CTRL_C]],
			out: "",
			laidOut: /^ {4}\{"mcpServers/,
		},
	],
	list: [
		{ args: ["list"], out: /^PREFIX .*\ndesk .*\n$/ },
		{ args: ["list"], once: broken, out: /^PREFIX .*\n(\w+ .*\n){2}$/, err: WHOLE },
	],
	discover: [
		{ args: ["discover", "files an item"], out: /^ +SCORE .*\n(\d+\. .*\n)+$/ },
		{ args: ["discover", "--explain", "destroy", "item"], out: /^ +SCORE .*\n1\. [\s\S]*\n {6}score / },
		{ args: ["discover", "--explain", "report a bug"], once: withDemo, out: /^ {8}bug .* \d\.\d\d, .* \d\.\d\d$/m },
		{ args: ["discover", "qwzx ".repeat(30)], out: /^Nothing fits / },
	],
	describe: [
		{ args: ["describe", "desk"], once: changed, out: /^desk\n {2}plugin / },
		{ args: ["describe", "desk", "show"], out: /^desk\/show\n/ },
	],
	call: [
		{ args: SHOW, out: /^\{"title":"a"\}\n$/ },
		{ args: ["call", "desk", "fail"], code: 1, out: "" },
		{ args: ["call", "desk", "show", "--arg", "count=7"], code: 1, out: "" },
		{ args: ["call", "desk", "draw"], out: /^two pictures\n$/ },
	],
	skill: [{ args: ["skill", "demo", "issue-summary"], once: withDemo, out: /\S[\s\S]*\n$/ }],
	cost: [
		{ args: ["cost", "--plugins-dir", "."], once: broken, out: /^1 plugin with [\s\S]*\n {2}desk .*\n$/, err: WHOLE },
		{ args: ["cost"], once: withDemo, out: /^2 plugins with [\s\S]*\n {2}demo .*\n$/ },
	],
	audit: [
		{ args: ["audit"], once: called, out: /^TIME \(UTC\) .*\n(\d\d-\d\d .*\n)+$/ },
		{ args: ["audit"], out: "" },
	],
	"audit stats": [{ args: ["audit", "stats"], once: called, out: /^\d+ calls since .*\nCALLS .*\n( +\d+ .*\n)+$/ }],
	"audit receipt": [{ args: ["audit", "receipt", RECEIPT], once: called, code: 3, out: /^not found: .*\n$/ }],
	"audit verify": [
		{ args: ["audit", "verify"], once: called, out: /^whole: .*\nhead: \S+ \(line \d+\)\n$/ },
		{ args: ["audit", "verify", "--head", HASH], once: called, code: 3, out: /^whole: .*\nNOT THIS LOG: [\s\S]*\n$/ },
	],
	"policy explain": [
		{ args: ["policy", "explain", "desk", "shred"], once: withRules, out: /^desk\/shred, a tool\n( {2}.*\n)+\nRules / },
	],
	"policy forget": [{ args: ["policy", "forget", "desk", "shred"], out: "" }],
	trust: [
		{ args: ["trust"], once: changed, out: /^desk: held back: [\s\S]*\n$/ },
		{
			args: ["trust", "desk", "--yes"],
			before: changed,
			out: /^desk: [\s\S]* {4}\+ Files an item\. Nobody[\s\S]*\n$/,
			laidOut: /^ {4}[-+ ] /,
		},
	],
	init: [
		{ args: ["init", "cursor", "--dry-run"], out: /^--- \/dev\/null\n\+\+\+ .*\n@@ .*\n(\+.*\n)+/ },
		{ args: ["init", "codex", "--yes"], out: /^--- /, before: withoutCodex },
	],
	add: [
		{
			args: ["add", "other", "--", process.execPath, SERVER, "other.log"],
			before: withDesk,
			out: /^--- .*\n\+\+\+ .*\n@@ [\s\S]*\n\+ +"other": \{\n[\s\S]*\n$/,
			laidOut: /^ *[-+ ] /,
		},
		{
			args: ["add", "gone", "--", "a-program-that-is-not-on-this-machine"],
			before: withDesk,
			code: 1,
			out: /^--- [\s\S]*\n\+ +"gone": \{\n[\s\S]*\n$/,
			laidOut: /^ *[-+ ] /,
		},
	],
	remove: [
		{
			args: ["remove", "desk"],
			before: withDesk,
			out: /^--- [\s\S]*\n- +"desk": \{\n[\s\S]*\n$/,
			laidOut: /^ *[-+ ] /,
		},
	],
	import: [
		{
			args: ["import", "cursor", "--yes"],
			before: (desk) => {
				withDesk(desk);
				withCursor(desk);
			},
			out: /^--- [\s\S]*\n\+ +"import": \[\n[\s\S]*\n$/,
			laidOut: /^ *[-+ ] /,
		},
	],
	login: [{ args: ["login", "service"], once: protectedService, reactions: [IN_BROWSER], out: "" }],
	logout: [
		{
			args: ["logout", "service"],
			once: protectedService,
			before: ({ run }) => run(["login", "service"], { reactions: [IN_BROWSER] }),
			out: "",
		},
	],
	"secret set": [
		{ args: ["secret", "set", "tracker"], input: "a value\n", reactions: [[/not shown/, "a value\r"]], out: "" },
	],
	"secret list": [{ args: ["secret", "list"], before: keep("tracker"), out: /^tracker {2}.*\n$/ }],
	"secret remove": [{ args: ["secret", "remove", "tracker"], before: keep("tracker"), out: "" }],
	skills: [
		{ args: ["skills"], out: /^\S+: .*\n$/ },
		{ args: ["skills", "--out", ".claude/skills"], out: /^\S+ {2}\w.*\n$/ },
	],
	"plugin new": [
		{
			args: ["plugin", "new", "words", "--from", "js", "--out", "plugins"],
			before: ({ project }) => rmSync(path.join(project, "plugins"), { recursive: true, force: true }),
			out: /^\/.*\n( {2}\S+\n)+$/,
		},
	],
	doctor: [{ args: ["doctor"], once: broken, code: 1, out: /^Node\n[\s\S]*\d+ errors?\n$/ }],
	completion: [{ args: ["completion", "bash"], out: /^# Completion of [\s\S]*\n$/, laidOut: /./ }],
	validate: [
		{ args: ["validate", "../user/agent-tools.json"], out: /^desk: .*\nvalid\n$/ },
		{ args: ["validate", "agent-tools.json"], once: broken, code: 1, out: /^not valid: .*\n$/, err: WHOLE },
	],
	help: [
		{ args: ["help"], out: /^Thousands of tools/ },
		{ args: ["help", "audit"], out: /^Show the calls/ },
		{ args: ["help", "plugin"], out: /^Usage: agent-tools plugin new\n/ },
	],
	version: [{ args: ["version"], out: /^agent-tools-runtime \S+\n$/ }],
};

/** @param {Desk} desk */
function withDemo({ user, server }) {
	const content = { mcpServers: { desk: server }, plugins: onlyRepositoryPlugins("demo") };
	writeFileSync(path.join(user, "agent-tools.json"), JSON.stringify(content));
}

/** @param {Desk} desk */
function withRules({ user, server }) {
	const policy = { tools: { "desk/*": "allow", "desk/shred": "ask" } };
	const content = { mcpServers: { desk: server }, policy, plugins: onlyRepositoryPlugins() };
	writeFileSync(path.join(user, "agent-tools.json"), JSON.stringify(content));
}

/** @param {Desk} desk */
function withoutCodex({ folder }) {
	rmSync(path.join(folder, ".codex"), { recursive: true, force: true });
	mkdirSync(path.join(folder, ".codex"));
}

/** The desk alone, in a file of several lines. @param {Desk} desk */
function withDesk({ user, server }) {
	writeFileSync(path.join(user, "agent-tools.json"), JSON.stringify({ mcpServers: { desk: server } }, null, 2));
}

/** Cursor, with a server of its own. @param {Desk} desk */
function withCursor({ folder, server }) {
	mkdirSync(path.join(folder, ".cursor"), { recursive: true });
	writeFileSync(path.join(folder, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { theirs: server } }));
}
