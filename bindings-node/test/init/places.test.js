import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { isInstalled } from "../../lib/cli/init/client.js";
import { clients } from "../../lib/cli/init/clients/all.js";
import { Place } from "../../lib/cli/init/place.js";
import { serverOf } from "../../lib/cli/init/server.js";
import { newUser } from "./user.js";

const WINDOWS = {
	platform: "win32",
	home: "C:\\Users\\me",
	cwd: "D:\\work",
	env: { APPDATA: "C:\\Users\\me\\AppData\\Roaming", LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local" },
};
const MAC = { platform: "darwin", home: "/Users/me", cwd: "/work", env: {} };
const LINUX = { platform: "linux", home: "/home/me", cwd: "/work", env: {} };

/** Where each client reads its file. @type {[string, "user" | "project", typeof LINUX, string][]} */
const FILES = [
	["pi", "user", LINUX, "/home/me/.pi/agent/settings.json"],
	["pi", "project", WINDOWS, "D:\\work\\.pi\\settings.json"],
	["claude-code", "user", MAC, "/Users/me/.claude.json"],
	["claude-code", "user", WINDOWS, "C:\\Users\\me\\.claude.json"],
	["claude-code", "project", WINDOWS, "D:\\work\\.mcp.json"],
	["claude-desktop", "user", MAC, "/Users/me/Library/Application Support/Claude/claude_desktop_config.json"],
	["claude-desktop", "user", WINDOWS, "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json"],
	["claude-desktop", "user", LINUX, "/home/me/.config/Claude/claude_desktop_config.json"],
	["codex", "user", LINUX, "/home/me/.codex/config.toml"],
	["codex", "user", WINDOWS, "C:\\Users\\me\\.codex\\config.toml"],
	["codex", "project", LINUX, "/work/.codex/config.toml"],
	["vscode", "user", MAC, "/Users/me/Library/Application Support/Code/User/mcp.json"],
	["vscode", "user", WINDOWS, "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json"],
	["vscode", "user", LINUX, "/home/me/.config/Code/User/mcp.json"],
	["vscode", "project", WINDOWS, "D:\\work\\.vscode\\mcp.json"],
	["cursor", "user", WINDOWS, "C:\\Users\\me\\.cursor\\mcp.json"],
	["cursor", "project", LINUX, "/work/.cursor/mcp.json"],
	["droid", "user", LINUX, "/home/me/.factory/mcp.json"],
	["droid", "project", WINDOWS, "D:\\work\\.factory\\mcp.json"],
	["hermes", "user", LINUX, "/home/me/.hermes/config.yaml"],
	["hermes", "user", WINDOWS, "C:\\Users\\me\\AppData\\Local\\hermes\\config.yaml"],
	["goose", "user", MAC, "/Users/me/.config/goose/config.yaml"],
	["goose", "user", WINDOWS, "C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml"],
];

/** @param {string} name */
function named(name) {
	const client = clients.find((one) => one.name === name);
	assert.ok(client);
	return client;
}

describe("where each client reads its file", () => {
	for (const [name, scope, whose, wanted] of FILES) {
		test(`${name}, ${scope}, ${whose.platform}`, () => {
			assert.equal(named(name).files[scope]?.(new Place(whose)), wanted);
		});
	}

	/** @type {[string, NodeJS.ProcessEnv, string][]} */
	const moved = [
		["codex", { CODEX_HOME: "/c" }, "/c/config.toml"],
		["claude-code", { CLAUDE_CONFIG_DIR: "/c" }, "/c/.claude.json"],
		["pi", { PI_CODING_AGENT_DIR: "/c" }, "/c/settings.json"],
		["hermes", { HERMES_HOME: "/c" }, "/c/config.yaml"],
		["goose", { XDG_CONFIG_HOME: "/c" }, "/c/goose/config.yaml"],
		["vscode", { XDG_CONFIG_HOME: "/c" }, "/c/Code/User/mcp.json"],
	];
	for (const [name, env, wanted] of moved) {
		test(`${name}, where ${Object.keys(env)} says`, () => {
			assert.equal(named(name).files.user?.(new Place({ ...LINUX, env })), wanted);
		});
	}
});

test("what is kept lies in the runtime's own folder", () => {
	assert.equal(new Place(LINUX).inData("init"), "/home/me/.local/share/agent-tools/init");
	assert.equal(new Place(MAC).inData("init"), "/Users/me/.local/share/agent-tools/init");
	const windows = "C:\\Users\\me\\AppData\\Roaming\\agent-tools-runtime\\agent-tools\\data\\init";
	assert.equal(new Place(WINDOWS).inData("init"), windows);
	assert.equal(new Place({ ...LINUX, env: { AGENT_TOOLS_DATA_DIR: "/d" } }).inData("init"), "/d/init");
});

test("on Windows every client starts npx through the command processor", () => {
	const place = new Place(WINDOWS);
	const server = serverOf({}, place);
	for (const client of clients) {
		if (!("entry" in client)) continue;
		const entry = /** @type {any} */ (client.entry(server));
		assert.equal(entry.command ?? entry.cmd, "cmd", client.name);
		assert.deepEqual(entry.args, ["/c", "npx", "-y", "@rckflr/agent-tools-runtime", "mcp"]);
	}
});

test("a client is there when its folder is, or its command", (t) => {
	const place = newUser(t);
	const found = () => clients.filter((client) => isInstalled(client, place)).map(({ name }) => name);
	assert.deepEqual(found(), []);
	mkdirSync(place.inHome(".cursor"));
	mkdirSync(place.inHome(".pi", "agent"), { recursive: true });
	writeFileSync(place.inProject("package.json"), '{ "dependencies": { "eve": "*" } }');
	assert.deepEqual(found(), ["pi", "eve", "cursor"]);
	const programs = place.inHome("bin");
	mkdirSync(programs);
	const codex = place.path.join(programs, place.windows ? "codex.CMD" : "codex");
	writeFileSync(codex, "");
	chmodSync(codex, 0o755);
	place.env.PATH = programs;
	assert.deepEqual(found(), ["pi", "eve", "codex", "cursor"]);
});

describe("the way to the runtime", () => {
	const place = new Place(LINUX);
	/** @type {[Parameters<typeof serverOf>[0], RegExp][]} */
	const wrong = [
		[{ local: true, http: "http://x/mcp" }, /exclude each other/],
		[{ "token-env": "T" }, /needs --http/],
		[{ http: "http://x/mcp", "token-env": "ghp_not a name" }, /name of a variable/],
		[{ http: "x" }, /takes a URL/],
		[{ http: "file:///x" }, /takes a URL/],
		[{ http: "http://me:word@x/mcp" }, /holds a secret/],
		[{ http: "http://x/mcp?access_token=1" }, /holds a secret/],
	];
	for (const [options, message] of wrong) {
		test(JSON.stringify(options), () => assert.throws(() => serverOf(options, place), { message }));
	}
});
