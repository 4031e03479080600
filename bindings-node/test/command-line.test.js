import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../lib/cli/command-line.js";
import { connectGuide } from "../lib/cli/connect-guide.js";
import { commandHelp, helpText } from "../lib/cli/help.js";
import { suggest } from "../lib/cli/suggest.js";

const onTerminal = () => true;
const inPipe = () => false;

test("without a command, a terminal gets HTTP and a program gets MCP", () => {
	assert.equal(parse([], onTerminal).command, "http");
	assert.equal(parse([], inPipe).command, "mcp");
	assert.equal(parse(["--port", "0"], onTerminal).options.port, "0");
});

test("options stand before or after the command, and some are repeatable", () => {
	const { command, options } = parse(["--plugins-dir", "a", "http", "--plugins-dir=b", "--allowed-host", "h"]);
	assert.equal(command, "http");
	assert.deepEqual({ ...options }, { "plugins-dir": ["a", "b"], "allowed-host": ["h"] });
});

test("a search takes all the words that follow", () => {
	const { args, options } = parse(["discover", "open", "--limit", "3", "issues", "--explain"], onTerminal);
	assert.deepEqual(args, ["open", "issues"]);
	assert.deepEqual({ ...options }, { limit: "3", explain: true });
});

test("help and version go before all else", () => {
	for (const args of [["-h"], ["http", "--help"], ["help"], ["list", "-h", "--port", "1"]]) {
		assert.equal(parse(args, inPipe).command, "help");
	}
	for (const args of [["-V"], ["--version"], ["version"]]) assert.equal(parse(args, inPipe).command, "version");
});

for (const [args, message, hint] of [
	[["lst"], /unknown command `lst`/, /Did you mean `list`/],
	[["constructor"], /unknown command `constructor`/, /agent-tools help/],
	[["--prot", "1"], /unknown option `--prot`/, /Did you mean `--port`/],
	[["-x"], /unknown option `-x`/, /agent-tools help/],
	[["http", "--port"], /--port needs a value: --port PORT/, /help/],
	[["http", "--port", "-1"], /ambiguous/, /help/],
	[["mcp", "--port", "1"], /`mcp` has no option --port/, /an option of `http`/],
	[["list", "--json=yes"], /--json takes no value/, /help/],
	[["discover"], /`discover` needs WORDS\.\.\./, /Usage: agent-tools discover WORDS\.\.\./],
	[["trust", "a", "b"], /`trust` takes 1 argument, but got `b` too/, /Usage: agent-tools trust \[prefix\]/],
	[["http", "8080"], /`http` takes no argument, but got `8080`/, /help/],
]) {
	test(`a wrong command line is explained: ${args}`, () => {
		assert.throws(() => parse(/** @type {string[]} */ (args), inPipe), { message, hint });
	});
}

test("an argument in brackets may be left out", () => {
	assert.deepEqual(parse(["trust"], inPipe).args, []);
	assert.deepEqual(parse(["trust", "github", "--yes"], inPipe).args, ["github"]);
});

test("only near names are suggested", () => {
	assert.equal(suggest("hepl", ["mcp", "help"]), "help");
	assert.equal(suggest("htpp", ["mcp", "http"]), "http");
	assert.equal(suggest("wonderful", ["mcp", "http"]), undefined);
});

test("the help names every command and option", () => {
	for (const name of [
		"mcp",
		"http",
		"list",
		"--plugins-dir DIR",
		"--port PORT",
		"--token TOKEN",
		"--json",
		"-V, --version",
	]) {
		assert.ok(helpText().includes(name), name);
	}
});

test("behind a command, the help is that command's own", () => {
	assert.deepEqual(parse(["cost", "--help", "--json"], inPipe).args, ["cost"]);
	assert.deepEqual(parse(["--help"], inPipe).args, []);
	assert.deepEqual(parse(["help"], inPipe).args, []);
	assert.deepEqual(parse(["wrong", "--help"], inPipe).args, []);
	const text = commandHelp("cost");
	assert.match(text, /^Usage: agent-tools cost \[OPTIONS\]$/m);
	for (const wanted of [
		"--plugin PREFIX",
		"--json",
		"--plugins-dir DIR",
		"Examples:\n  agent-tools cost",
		"Exit codes: 0",
	]) {
		assert.ok(text.includes(wanted), wanted);
	}
	assert.ok(!text.includes("--port"));
});

test("the guide has the real address, and the token only where there is one", () => {
	const server = { url: "http://127.0.0.1:8321/mcp", prefixes: ["demo"] };
	const open = connectGuide({ ...server, withToken: false });
	assert.match(open, /url: "http:\/\/127\.0\.0\.1:8321\/mcp\/demo"/);
	assert.match(open, /\{"mcpServers":\{"agent-tools":\{"url":"http:\/\/127\.0\.0\.1:8321\/mcp"\}\}\}/);
	assert.doesNotMatch(open, /token/i);
	assert.doesNotMatch(open, /other machines/);
	const closed = connectGuide({ ...server, withToken: true });
	assert.match(closed, /"Authorization":"Bearer <token>"/);
	assert.match(closed, /export AGENT_TOOLS_HTTP_TOKEN='<token>'\n {4}curl .*Bearer \$AGENT_TOOLS_HTTP_TOKEN/);
});

test("a server on every address is asked under one, and says how to let other machines in", () => {
	const server = { prefixes: ["demo"], withToken: true };
	for (const [any, one] of [
		["0.0.0.0", "127.0.0.1"],
		["[::]", "[::1]"],
	]) {
		const guide = connectGuide({ ...server, url: `http://${any}:8321/mcp` });
		assert.ok(!guide.includes(String(any)));
		assert.ok(guide.includes(`curl -s http://${one}:8321/mcp `));
		assert.match(guide, /for http:\/\/NAME:8321\/mcp start it with\n {4}--allowed-host NAME/);
	}
	const allowedHosts = ["tools.example", "proxy.example:80", "[fd00::7]"];
	const named = connectGuide({ ...server, url: "http://0.0.0.0:8321/mcp", allowedHosts });
	for (const host of ["tools.example:8321", "proxy.example:80", "[fd00::7]:8321"]) {
		assert.ok(named.includes(`\n    http://${host}/mcp\n`), host);
	}
});
