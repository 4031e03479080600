import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "../lib/cli/columns.js";
import { parse } from "../lib/cli/command-line.js";
import { allCommands } from "../lib/cli/commands.js";
import { connectGuide } from "../lib/cli/connect-guide.js";
import { commandHelp, helpFor, helpText } from "../lib/cli/help.js";
import { GENERAL, options } from "../lib/cli/options.js";
import { suggest } from "../lib/cli/suggest.js";

const onTerminal = () => true;
const inPipe = () => false;

test("without a command, a terminal gets HTTP and a program gets MCP", () => {
	assert.equal(parse([], onTerminal).command, "http");
	assert.equal(parse([], inPipe).command, "mcp");
	assert.equal(parse(["--port", "0"], onTerminal).options.port, "0");
});

test("options stand before or after the command, and some are repeatable", () => {
	const { command, options: given } = parse(["--plugins-dir", "a", "http", "--plugins-dir=b", "--allowed-host", "h"]);
	assert.equal(command, "http");
	assert.deepEqual({ ...given }, { "plugins-dir": ["a", "b"], "allowed-host": ["h"] });
});

test("a search takes all the words that follow", () => {
	const { args, options: given } = parse(["discover", "open", "--limit", "3", "issues", "--explain"], onTerminal);
	assert.deepEqual(args, ["open", "issues"]);
	assert.deepEqual({ ...given }, { limit: "3", explain: true });
});

test("what stands behind `--` is another program's, also what looks like an option of ours", () => {
	const {
		command,
		args,
		options: given,
	} = parse(["add", "x", "--json", "--", "npx", "-y", "s", "--url", "--", "-h"], inPipe);
	assert.equal(command, "add");
	assert.deepEqual(args, ["x", "npx", "-y", "s", "--url", "--", "-h"]);
	assert.deepEqual({ ...given }, { json: true });
});

test("help and version go before all else", () => {
	for (const args of [["-h"], ["http", "--help"], ["help"], ["list", "-h", "--port", "1"], ["wrong", "-h"]]) {
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
	[["trust", "a", "b"], /`trust` takes 1 argument, but got `b` too/, /Usage: agent-tools trust \[PREFIX\]/],
	[["policy"], /`policy` needs to know what to do/, /Usage: agent-tools policy explain\|forget/],
	[["policy", "explan", "a", "b"], /`policy` has no action `explan`/, /Did you mean `policy explain`/],
	[["policy", "explain", "a"], /`policy explain` needs NAME/, /Usage: agent-tools policy explain PREFIX NAME/],
	[["audit", "verfy"], /`audit` has no action `verfy`/, /Did you mean `audit verify`/],
	[["audit", "wonderful"], /`audit` has no action `wonderful`/, /stats, receipt, verify/],
	[["audit", "stats", "--follow"], /`audit stats` has no option --follow/, /an option of `audit`/],
	[["add", "x", "npx", "-y", "x"], /unknown option `-y`/, /stands behind `--`: agent-tools add x -- npx/],
	[["add", "--", "npx", "x"], /`add` needs NAME before `--`/, /Usage: agent-tools add NAME -- …/],
	[["plugin", "new", "--from", "mcp", "--", "x"], /`plugin new` needs NAME before `--`/, /Usage/],
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

test("the help names every command, and each command's help its options and an example", () => {
	for (const [name, { options: own = [], args = [] }] of Object.entries(allCommands)) {
		assert.ok(helpText().includes(`  ${[name, ...args].join(" ")}  `), name);
		const text = commandHelp(name);
		assert.match(text, new RegExp(`^Usage: agent-tools ${name}`, "m"));
		assert.match(text, new RegExp(`^Examples:\n {2}agent-tools ${name}`, "m"));
		for (const option of [...own, ...GENERAL]) assert.match(text, new RegExp(`--${option}\\b`));
	}
	assert.ok(!commandHelp("cost").includes("--port"));
	assert.match(helpText(), /-V, --version/);
});

test("the exit codes of a command stand in order, with what one means of it alone", () => {
	assert.match(commandHelp("add"), /\n {2}1 {2}failed\n {2}1 {2}written, but it does not work yet\n {2}2 /);
	assert.match(commandHelp("init"), /\n {2}2 .*\n {2}3 {2}nobody could be asked/);
});

test("every option is one of some command", () => {
	const taken = new Set([...GENERAL, ...Object.values(allCommands).flatMap((command) => command.options ?? [])]);
	for (const name of Object.keys(options)) assert.ok(taken.has(/** @type {never} */ (name)), name);
});

test("behind a command, the help is that command's own", () => {
	assert.deepEqual(parse(["policy", "explain", "--help", "--json"], inPipe).args, ["policy", "explain"]);
	assert.equal(helpFor(["policy", "explain"]), commandHelp("policy explain"));
	assert.match(helpFor(["policy"]), /^Usage: agent-tools policy explain\|forget$/m);
	assert.match(commandHelp("audit"), /audit verify +Check that the call log is whole/);
	assert.equal(helpFor([]), helpText());
	assert.throws(() => helpFor(["lst"]), { message: "unknown command `lst`", hint: "Did you mean `list`?" });
	assert.throws(() => helpFor(["policy", "explan"]), { message: /no action `explan`/, hint: /`policy explain`/ });
});

test("the help fits a terminal, and is not broken in a pipe", () => {
	const rows = [
		["a", "one two three four five six seven"],
		["long name", "x"],
	];
	assert.equal(
		columns(rows, { stream: { isTTY: true, columns: 33 } }),
		"  a          one two three four\n             five six seven\n  long name  x",
	);
	assert.equal(columns(rows, { stream: {} }), "  a          one two three four five six seven\n  long name  x");
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
	assert.match(closed, /export AGENT_TOOLS_HTTP_TOKEN='<token>'\n {4}curl .*\n.*\n.*Bearer \$AGENT_TOOLS_HTTP_TOKEN/);
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
		assert.match(guide, /For http:\/\/NAME:8321\/mcp start it with\n {4}--allowed-host NAME/);
	}
	const allowedHosts = ["tools.example", "proxy.example:80", "[fd00::7]"];
	const named = connectGuide({ ...server, url: "http://0.0.0.0:8321/mcp", allowedHosts });
	for (const host of ["tools.example:8321", "proxy.example:80", "[fd00::7]:8321"]) {
		assert.ok(named.includes(`\n    http://${host}/mcp\n`), host);
	}
});
