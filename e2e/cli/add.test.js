// `agent-tools add` and `remove`, with real servers.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { CLI } from "../harness/paths.js";
import { authorizationServer } from "../oauth/authorization-server.js";
import { visit } from "../oauth/plugin.js";
import { protectedServer } from "../oauth/protected-server.js";
import { LIMIT, ON_TERMINAL, withoutControls } from "./desk.js";
import { EVERYTHING, newcomer, OWN } from "./newcomer.js";

const NOT_ON_WINDOWS = { skip: process.platform === "win32" && "its folders are named by APPDATA" };
const ESCAPE = "\u001b";
const DOCUMENT = `openapi: 3.0.0
info: { title: Pets, version: "1" }
servers: [{ url: https://api.pets.example/v1 }]
security: [{ key: [] }]
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
paths:
  /pets: { get: { operationId: list_pets, responses: { "200": { description: ok } } } }
`;

describe("add", LIMIT, () => {
	test("a server for a user who has nothing: the file is made, the server is tried, and `list` has it", async (t) => {
		const { folder, run, text } = newcomer(t);
		const home = path.join(folder, ".config/agent-tools/agent-tools.json");
		const env = { AGENT_TOOLS_CONFIG_DIR: "" };
		const { code, out, err } = await run(["add", "every", "--", ...EVERYTHING], { env });
		assert.equal(code, 0, err);
		assert.match(err, /^every is written to .*\/agent-tools\.json\nIt works: \d+ tools\n$/);
		assert.match(out, /^\+ {4}"every": \{$/m);
		assert.ok(!(out + err).includes(ESCAPE), "no colour where nobody looks");
		const [command, ...args] = EVERYTHING;
		const written = JSON.parse(String(text(home)));
		assert.deepEqual(written.mcpServers, { every: { command, args } });
		assert.match(written.$schema, /agent-tools\.schema\.json$/);
		assert.equal(statSync(home).mode & 0o777, 0o600);
		assert.equal(statSync(path.dirname(home)).mode & 0o777, 0o700);
		const listed = JSON.parse((await run(["list", "--json"], { env })).out).plugins;
		assert.equal(listed.find((/** @type {any} */ { prefix }) => prefix === "every").state, "ready");
		const again = await run(["add", "every", "--", ...EVERYTHING], { env });
		assert.match(again.err, /^It works: \d+ tools$/m, "it is tried again, whatever was kept of the first try");
		assert.equal((await run(["remove", "every"], { env })).code, 0);
		assert.equal(text(home), undefined, "the file that add made is gone with its only entry");
	});

	for (const [what, own] of Object.entries({
		"comments and trailing commas": OWN,
		"lines that end as on Windows": OWN.replaceAll("\n", "\r\n"),
		"nothing in its section": '{\n  "mcpServers": {\n\n  }\n}',
		"one line": '{"view":"flat","mcpServers":{"old":{"command":"true"}}}',
		"no section": '{ "view": "flat" }\n',
		"no text": "",
	})) {
		test(`${what}: all of it stays, and remove gives it back byte for byte`, async (t) => {
			const { run, text, write, file } = newcomer(t);
			write(own);
			chmodSync(file, 0o640);
			assert.equal((await run(["add", "new", "--no-check", "--", "true", "1"])).code, 0);
			const after = String(text());
			for (const comment of own.match(/\/\/.*|\/\*.*?\*\//g) ?? []) assert.ok(after.includes(comment), comment);
			assert.equal(after.includes("\r\n"), own.includes("\r\n"));
			assert.doesNotMatch(after.replaceAll("\r\n", ""), /\r/);
			assert.equal(statSync(file).mode & 0o777, 0o640);
			assert.equal((await run(["remove", "new"])).code, 0);
			assert.equal(text(), own);
		});
	}

	test("many at once, with no folder there yet: all of them stay, and all can be taken out at once", async (t) => {
		const { run, text, project } = newcomer(t);
		const names = Array.from({ length: 8 }, (_, i) => `s${i}`);
		const all = (/** @type {(name: string) => string[]} */ args) => Promise.all(names.map((name) => run(args(name))));
		const config = ["--config", path.join(project, "new/own.json")];
		const adding = await all((name) => ["add", name, ...config, "--no-check", "--", "true"]);
		for (const { code, err } of adding) assert.equal(code, 0, err);
		const file = path.join(project, "new/own.json");
		assert.deepEqual(Object.keys(JSON.parse(String(text(file))).mcpServers).sort(), names);
		assert.deepEqual(readdirSync(path.dirname(file)), ["own.json"], "nothing is left lying about");
		const removing = await all((name) => ["remove", name, ...config]);
		for (const { code, err } of removing) assert.equal(code, 0, err);
		assert.doesNotMatch(text(file) ?? "", /"s\d"/);
	});

	test("a name that every object has a member of is a name as any other", async (t) => {
		const { run, text } = newcomer(t);
		for (const [i, name] of ["constructor", "valueof", "tostring"].entries()) {
			const { code, err } = await run(["add", name, "--no-check", "--", "true"]);
			assert.equal(code, 0, err);
			assert.equal(Object.keys(JSON.parse(String(text())).mcpServers).length, i + 1);
		}
		assert.equal((await run(["remove", "constructor"])).code, 0);
		assert.deepEqual(Object.keys(JSON.parse(String(text())).mcpServers), ["valueof", "tostring"]);
	});

	test("where no record can be kept, that is a warning, and remove takes out the entry", async (t) => {
		const { run, text, write, folder } = newcomer(t);
		writeFileSync(path.join(folder, "notdir"), "");
		const env = { AGENT_TOOLS_DATA_DIR: path.join(folder, "notdir/x") };
		write(OWN);
		// With a secret, whose list lies there too.
		const added = await run(["add", "new", "--no-check", "--env", `A=\${secret:a}`, "--", "true"], { env });
		assert.equal(added.code, 0, added.err);
		assert.match(added.err, /^warning: .*notdir.* a part of its path is a file; `remove` will take out the entry/m);
		assert.match(String(text()), /"new"/);
		const removed = await run(["remove", "new"], { env });
		assert.equal(removed.code, 0, removed.err);
		assert.doesNotMatch(String(text()), /"new"/);
	});

	for (const record of ["null", "{", "[]"]) {
		test(`a record that holds ${record} is none`, async (t) => {
			const { run, text, write, folder } = newcomer(t);
			write(OWN);
			assert.equal((await run(["add", "new", "--no-check", "--", "true"])).code, 0);
			const records = path.join(folder, "data/add");
			for (const file of readdirSync(records)) writeFileSync(path.join(records, file), record);
			const { code, err } = await run(["remove", "new"]);
			assert.equal(code, 0, err);
			assert.equal(text(), OWN);
			assert.deepEqual(readdirSync(records), []);
		});
	}

	test(
		"without a home folder it says what to set, and writes nothing into the working folder",
		NOT_ON_WINDOWS,
		async (t) => {
			const { run, project, text } = newcomer(t);
			const env = { HOME: "", USERPROFILE: "", AGENT_TOOLS_CONFIG_DIR: "", XDG_CONFIG_HOME: "" };
			const { code, err } = await run(["add", "new", "--no-check", "--", "true"], { env });
			assert.equal(code, 1);
			assert.match(err, /^error: the variable HOME is empty.*\nhint: Set HOME, or .* AGENT_TOOLS_CONFIG_DIR\.$/m);
			assert.deepEqual(readdirSync(project), []);
			const { AGENT_TOOLS_CONFIG_DIR: _, ...named } = { ...env, AGENT_TOOLS_DATA_DIR: "", XDG_DATA_HOME: "" };
			for (const args of [
				["add", "new", "--no-check", "--", "true"],
				["remove", "new"],
			]) {
				const { code, err } = await run(args, { env: named });
				assert.equal(code, 0, err);
				assert.match(err, /^warning: the variable HOME is empty/m);
			}
			assert.deepEqual(readdirSync(project), []);
			assert.doesNotMatch(String(text()), /"new"/);
		},
	);

	test("what a killed one left of its lock holds nobody up for ever", async (t) => {
		const { run, text, file } = newcomer(t);
		const lock = path.join(path.dirname(file), `.${path.basename(file)}.lock`);
		writeFileSync(lock, "");
		const names = ["a", "b", "c"];
		for (const { code, err } of await Promise.all(names.map((name) => run(["add", name, "--no-check", "--", "true"]))))
			assert.equal(code, 0, err);
		assert.deepEqual(Object.keys(JSON.parse(String(text())).mcpServers).sort(), names);
		assert.deepEqual(readdirSync(path.dirname(file)), [path.basename(file)]);
	});

	test("a name that is there: refused, replaced on demand with the rest of its entry, and the same is no fault", async (t) => {
		const { run, text, write } = newcomer(t);
		write('{"mcpServers":{"x":{"command":"old","args":["a"],"env":{"A":"1"},"exclude":["b*"]}}}');
		const before = text();
		const refused = await run(["add", "x", "--no-check", "--", "new"]);
		assert.equal(refused.code, 1);
		assert.match(refused.err, /error: x is there already, and differs \(.*mcpServers\.x\)\nhint: .*--replace/);
		assert.equal(text(), before);
		assert.equal((await run(["add", "x", "--replace", "--no-check", "--", "new"])).code, 0);
		assert.deepEqual(JSON.parse(String(text())).mcpServers.x, { command: "new", exclude: ["b*"] });
		const same = await run(["add", "x", "--no-check", "--json", "--", "new"]);
		assert.deepEqual([same.code, JSON.parse(same.out).state], [0, "same"]);
		assert.equal((await run(["remove", "x"])).code, 0);
		assert.doesNotMatch(String(text()), /old|new/, "remove takes it out, and brings nothing back");
		write('{"openapi":{"x":{"document":"a.yaml"}}}');
		const other = await run(["add", "x", "--replace", "--no-check", "--", "new"]);
		assert.match(other.err, /as another kind of service[\s\S]*hint: .*agent-tools remove x/);
	});

	for (const [what, broken, place] of [
		["not JSON", '{\n  "mcpServers": {\n    "a": {}\n    "b": {}\n  }\n}\n', "line 4, column 5: comma expected"],
		["a key twice", '{"view":"flat",\n"view":"auto"}', "line 2, column 1: the key `view` stands there twice"],
		["nested too deeply", `{"mcpServers":\n${"[".repeat(5000)}`, "line 2, column 500: it is nested too deeply"],
		["a list for a table", '{"mcpServers":[]}', "`mcpServers` is no table"],
	]) {
		test(`a broken file is not touched, and its place is said: ${what}`, async (t) => {
			const { run, text, write } = newcomer(t);
			write(String(broken));
			for (const args of [
				["add", "x", "--", "true"],
				...(String(place).startsWith("line")
					? [
							["remove", "a"],
							["import", "--all"],
						]
					: []),
			]) {
				const { code, err } = await run(args);
				assert.equal(code, 1, args[0]);
				assert.ok(err.includes(String(place)), err);
				assert.match(err, /hint: Nothing was written\./);
			}
			assert.equal(text(), broken);
		});
	}

	test("a file that cannot be read or written is said as such, and a link stays one", async (t) => {
		const { run, project, text } = newcomer(t);
		const add = (/** @type {string} */ config) => run(["add", "x", "--config", config, "--no-check", "--", "true"]);
		mkdirSync(path.join(project, "folder.json"));
		writeFileSync(path.join(project, "file"), "");
		for (const [config, reason] of [
			["folder.json", "folder.json cannot be read: it is a folder"],
			["file/a.json", "file/a.json cannot be read: a part of its path is a file"],
		]) {
			const { code, err } = await add(String(config));
			assert.equal(code, 1);
			assert.match(err, new RegExp(`^error: .*${reason}\nhint: Nothing was written.`));
		}
		if (process.platform !== "win32") {
			execFileSync("mkfifo", [path.join(project, "pipe.json")]);
			assert.match((await add("pipe.json")).err, /^error: .*pipe\.json cannot be read: it is no regular file\n/);
		}
		symlinkSync("real.json", path.join(project, "link.json"));
		assert.equal((await add("link.json")).code, 0);
		assert.ok(lstatSync(path.join(project, "link.json")).isSymbolicLink());
		assert.match(String(text(path.join(project, "real.json"))), /"x"/);
	});

	test("a server that does not start: it is said why, and the entry stays until it is taken out", async (t) => {
		const { run, text } = newcomer(t);
		const dead = await run(["add", "dead", "--", process.execPath, "/nowhere/server.js"]);
		assert.equal(dead.code, 1);
		assert.match(
			dead.err,
			/error: dead does not work yet: .*did not start[\s\S]*Cannot find module '\/nowhere\/server\.js'/,
		);
		assert.match(dead.err, /hint: The entry stays[\s\S]*To take it out: agent-tools remove dead\n$/);
		assert.match(String(text()), /"dead"/);
		const again = ["add", "dead", "--", process.execPath, "/nowhere/server.js"];
		const byNpx = await run(again, { env: { npm_command: "exec" } });
		assert.match(byNpx.err, /To take it out: npx @rckflr\/agent-tools-runtime remove dead\n$/);
		const missing = await run(["add", "missing", "--json", "--", "no-such-program"]);
		const { check } = JSON.parse(missing.out);
		assert.deepEqual([missing.code, check.works], [1, false]);
		assert.match(check.reason, /^command not found: "no-such-program"/);
		const unset = await run(["add", "unset", "--env", "NOT_SET_HERE", "--", ...EVERYTHING]);
		assert.match(unset.err, /unset does not work yet: the environment variable NOT_SET_HERE is not set/);
	});

	test("Ctrl-C during the check: what was written is said already", {
		skip: process.platform === "win32",
	}, async (t) => {
		const { env, project, text } = newcomer(t);
		const silent = [process.execPath, "-e", "process.stdin.resume()"];
		const adding = spawn(process.execPath, [CLI, "add", "silent", "--", ...silent], { cwd: project, env });
		t.after(() => adding.kill("SIGKILL"));
		const ended = once(adding, "close");
		let [out, err] = ["", ""];
		adding.stdout.setEncoding("utf8").on("data", (chunk) => {
			out += chunk;
		});
		adding.stderr.setEncoding("utf8").on("data", (chunk) => {
			err += chunk;
			if (err.includes("written to")) adding.kill("SIGINT");
		});
		const [code, signal] = await ended;
		assert.ok(code === 130 || signal === "SIGINT", `${code} ${signal} ${err}`);
		assert.match(out, /^\+ {4}"silent": \{$/m);
		assert.match(err, /^silent is written to .*\n$/);
		assert.match(String(text()), /"silent"/);
	});

	test("a command that cannot be meant is refused, and nothing is written", async (t) => {
		const { run, project, text } = newcomer(t);
		mkdirSync(path.join(project, "docs"));
		for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
			[["--", ""], /^error: the command is empty\n/],
			[["--", project], /^error: `.*` is no program: it is a folder\n/],
			[["--", "./docs"], /^error: `\.\/docs` is no program: it is a folder\n/],
			[["--env", "A=1", "--env", "B", "--env", "A=2", "--", "true"], /^error: --env gives A twice\n/],
		])) {
			const { code, err } = await run(["add", "x", "--no-check", ...args]);
			assert.equal(code, 2, args.join(" "));
			assert.match(err, message);
			assert.equal(text(), undefined);
		}
		assert.equal((await run(["add", "x", "--no-check", "--", "docs"])).code, 0, "a name is looked for on PATH");
	});

	test("what stands behind the separator is the server's, word for word", async (t) => {
		const { run, text } = newcomer(t);
		const words = ["sh", "--url", "x", "--json", "--", "-h", "", "a b", "--scope=project"];
		const { code, out } = await run(["add", "x", "--no-check", "--json", "--", ...words]);
		assert.equal(code, 0);
		assert.equal(JSON.parse(out).state, "added");
		const { command, args } = JSON.parse(String(text())).mcpServers.x;
		assert.deepEqual([command, ...args], words);
	});

	test("variables go by name or value, and no secret into the file", async (t) => {
		const { run, text } = newcomer(t);
		const SECRET = "s3cret-value-1";
		for (const args of [
			["--env", `GITHUB_TOKEN=${SECRET}`, "--", "x"],
			["--", "x", "--api-key", SECRET],
			["--url", `https://example.com/mcp?token=${SECRET}`],
			["--url", `https://me:${SECRET}@example.com/mcp`],
			["--url", "https://example.com/mcp", "--header", `Authorization: Bearer ${SECRET}`],
		]) {
			const { code, out, err } = await run(["add", "x", "--no-check", ...args]);
			assert.equal(code, 2, args.join(" "));
			assert.match(err, /looks like a secret[\s\S]*hint: Keep it in a variable[\s\S]*agent-tools secret set NAME/);
			assert.ok(!(out + err).includes(SECRET));
			assert.equal(text(), undefined);
		}
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the runtime replaces it
		const reference = "${secret:gh}";
		const env = ["--env", "LOG=debug", "--env", "HOME_OF", "--env", `GITHUB_TOKEN=${reference}`];
		assert.equal((await run(["secret", "set", "gh"], { input: SECRET })).code, 0);
		const { err } = await run(["add", "x", ...env, "--", ...EVERYTHING], { env: { HOME_OF: "h" } });
		assert.match(err, /It works: /);
		const written = JSON.parse(String(text()));
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the runtime replaces it
		assert.deepEqual(written.mcpServers.x.env, { LOG: "debug", HOME_OF: "${HOME_OF}", GITHUB_TOKEN: reference });
		assert.deepEqual(written.secrets, { gh: { keyring: "gh" } });
		const removed = await run(["remove", "x"]);
		assert.match(removed.err, /note: the secret gh is kept.*\nhint: agent-tools secret remove gh\n/);
		assert.equal((await run(["secret", "remove", "gh"])).code, 0);
	});

	test("what is typed in the wrong place is not repeated where it is a secret", async (t) => {
		const { run, text } = newcomer(t);
		const token = `ghp_${"a1".repeat(18)}`;
		for (const args of [
			["add", "x", "--", "https://user:hunter2pass@x.example/mcp"],
			["add", "x", "--", `https://x.example/mcp?token=${token}`],
			["add", "x", "--url", "https://user:hunter2pass@x y/"],
			["add", token, "--", "x"],
			["add", "x", "--url", "https://x.example/mcp", "--bearer-env", token],
			["add", "x", "--env", token, "--", "x"],
			["call", "demo", token],
			["call", token, "x"],
			["describe", token],
			["init", token],
			["init", "--scope", token],
			["plugin", "new", "s", "--from", token],
			[token],
			["list", `--${token}`],
			["list", token],
		]) {
			const { code, out, err } = await run(args);
			assert.ok(code !== 0, args.join(" "));
			assert.match(err, /error: .*\nhint: /);
			assert.doesNotMatch(out + err, /hunter2pass|ghp_/);
			assert.equal(text(), undefined);
		}
	});

	test("a URL with a token of a variable; without it, what to do", async (t) => {
		const { run, text } = newcomer(t);
		const server = await protectedServer(t, { isGood: (token) => token === "good-1" });
		const open = await run(["add", "issues", "--url", server.url]);
		assert.equal(open.code, 1);
		assert.match(open.err, /issues does not work yet: .*credentials[\s\S]*--oauth.*--bearer-env NAME/);
		const args = ["add", "issues", "--replace", "--url", server.url, "--bearer-env", "ISSUES_TOKEN"];
		const { code, err } = await run(args, { env: { ISSUES_TOKEN: "good-1" } });
		assert.deepEqual([code, err.includes("It works: 1 tool\n")], [0, true], err);
		assert.deepEqual(JSON.parse(String(text())).mcpServers.issues, {
			url: server.url,
			// biome-ignore lint/suspicious/noTemplateCurlyInString: the runtime replaces it
			headers: { Authorization: "Bearer ${ISSUES_TOKEN}" },
		});
	});

	test("a login in the browser: add asks for it, remove says that it stays, and how to forget it", async (t) => {
		const { run, env, project } = newcomer(t);
		const issuer = await authorizationServer(t);
		const server = await protectedServer(t, { isGood: issuer.isGood, issuer: issuer.url });
		const { code, err } = await run(["add", "linear", "--url", server.url, "--oauth"]);
		assert.equal(code, 1);
		assert.match(err, /hint: agent-tools login linear\n/);
		const login = spawn(process.execPath, [CLI, "login", "linear"], { cwd: project, env });
		t.after(() => login.kill("SIGKILL"));
		let shown = "";
		for await (const chunk of login.stderr) {
			shown += chunk;
			const [, url] = /^ {2}(http:\S+)$/m.exec(shown) ?? [];
			if (url && !shown.includes("Logged in")) await visit(url);
			if (shown.includes("Logged in")) break;
		}
		if (login.exitCode === null) await once(login, "close");
		assert.match((await run(["add", "linear", "--url", server.url, "--oauth"])).err, /already.*\nIt works: 1 tool/);
		const removed = await run(["remove", "linear"]);
		const [, command = ""] = /note: the login to .* is kept.*\nhint: (.*)\n/.exec(removed.err) ?? [];
		assert.match(command, /^agent-tools add linear .* && agent-tools logout linear && agent-tools remove linear$/);
		for (const one of command.split(" && ")) {
			const done = await run(one.split(" ").slice(1));
			assert.equal(done.code, 0, one + done.err);
		}
		assert.doesNotMatch((await run(["remove", "linear"])).err, /login/);
	});

	test("an OpenAPI document, from a file and of a project", async (t) => {
		const { run, text, ofProject, project, file } = newcomer(t);
		writeFileSync(path.join(project, "pets.yaml"), DOCUMENT);
		const env = { PETS_KEY: "good-1" };
		const own = await run(["add", "pets", "--openapi", "pets.yaml"], { env });
		assert.deepEqual([own.code, own.err.includes("It works: 1 tool\n")], [0, true], own.err);
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the runtime replaces it
		const auth = { key: "${PETS_KEY}" };
		const document = path.join(project, "pets.yaml");
		assert.deepEqual(JSON.parse(String(text())).openapi.pets, { document, auth });
		const of = await run(["add", "animals", "--openapi", "pets.yaml", "--scope", "project", "--no-check"], { env });
		assert.match(of.err, /note: It reads the variables ANIMALS_KEY, which are not set here\./);
		assert.equal(JSON.parse(String(text(ofProject))).openapi.animals.document, "./pets.yaml");
		const missing = await run(["add", "x", "--openapi", "nowhere.yaml"]);
		assert.deepEqual([missing.code, /nowhere\.yaml does not exist/.test(missing.err)], [2, true]);
		assert.doesNotMatch(String(text(file)), /"x"/);
	});

	test("a project's file: what a project may not start is said as the runtime says it", async (t) => {
		const { run, text, file, ofProject } = newcomer(t);
		const node = await run(["add", "every", "--scope", "project", "--", "node", ...EVERYTHING.slice(1)], {
			env: { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
		});
		assert.match(node.err, /^every is written to .*project\/agent-tools\.json\nIt works: /);
		assert.equal(statSync(ofProject).mode & 0o444, 0o444);
		const shell = await run(["add", "shell", "--scope", "project", "--", "sh", "x.sh"]);
		assert.match(shell.err, /shell does not work yet: "sh" is none of the launchers that a project's file may start/);
		assert.match(shell.err, /To take it out: agent-tools remove shell --scope project\n$/);
		assert.equal(text(), undefined);
		const shadowed = await run(["add", "every", "--scope", "user", "--", ...EVERYTHING]);
		assert.match(
			shadowed.err,
			/warning: .*project\/agent-tools\.json has a service of this name too.*\n[\s\S]*It works/,
		);
		const both = await run(["remove", "every"]);
		assert.equal(both.code, 2);
		assert.match(both.err, /hint: Say which is meant: --scope project or --scope user\./);
		assert.match((await run(["remove", "every", "--scope", "user"])).err, new RegExp(`every is taken out of ${file}`));
		assert.match(String(text(ofProject)), /"every"/);
	});

	test("--config and AGENT_TOOLS_CONFIG name the file; a scope beside the variable is a warning", async (t) => {
		const { run, text, project } = newcomer(t);
		const named = path.join(project, "named.json");
		const { code, err } = await run(["add", "every", "--config", "named.json", "--", ...EVERYTHING]);
		assert.deepEqual([code, /It works/.test(err)], [0, true], err);
		const env = { AGENT_TOOLS_CONFIG: named };
		const of = JSON.parse((await run(["remove", "every", "--json"], { env })).out);
		assert.deepEqual([of.file, of.scope, of.removed], [named, "named", true]);
		assert.equal(text(named), undefined);
		const scoped = await run(["add", "every", "--scope", "user", "--", ...EVERYTHING], { env });
		assert.match(scoped.err, /warning: AGENT_TOOLS_CONFIG names another file[\s\S]*It works/);
		assert.equal((await run(["add", "x", "--scope", "user", "--config", "a.json", "--", "x"])).code, 2);
	});

	test("on a terminal the difference is in colour and nothing else is asked", ON_TERMINAL, async (t) => {
		const { onTerminal } = newcomer(t);
		const { code, shown } = await onTerminal(["add", "every", "--", ...EVERYTHING]);
		assert.equal(code, 0);
		assert.ok(shown.includes(`${ESCAPE}[32m+`));
		assert.match(withoutControls(shown), /It works: \d+ tools\n$/);
	});
});

describe("remove", LIMIT, () => {
	test("exactly the entry goes, though the file has changed since, and an unknown name is asked about", async (t) => {
		const { run, text, write } = newcomer(t);
		write(OWN);
		await run(["add", "new", "--no-check", "--", "true"]);
		write(String(text()).replace('"ask"', '"allow"'));
		assert.equal((await run(["remove", "new"])).code, 0);
		assert.equal(text(), OWN.replace('"ask"', '"allow"'));
		const { code, err } = await run(["remove", "olt"]);
		assert.equal(code, 2);
		assert.match(err, /error: no server or service `olt` stands in .*\nhint: Did you mean `old`\? There are old\./);
		assert.equal((await run(["remove", "old"])).code, 0);
		assert.match(String(text()), /said of it[\s\S]*and the rest/);
	});
});
