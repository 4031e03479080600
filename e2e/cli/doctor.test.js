// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the runtime expands them
// `agent-tools doctor` in a home of its own: a healthy one, and one fault after the other.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { startHttp } from "../harness/cli-http.js";
import { freePort } from "../harness/free-port.js";
import { nodeFolder } from "../harness/node-versions.js";
import { ROOT } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { until } from "../harness/until.js";
import { authorizationServer } from "../oauth/authorization-server.js";
import { visit } from "../oauth/plugin.js";
import { protectedServer } from "../oauth/protected-server.js";
import { sendJson } from "../oauth/serve.js";
import { DoctorHome, HEALTHY } from "./doctor-home.js";

const CLI = path.join(ROOT, "bindings-node/bin/agent-tools-runtime.js");
const OLD_NODE = path.join(ROOT, "e2e/node_modules/node18/bin/node");
const onLinux = process.platform !== "linux" && "only Linux tells what other processes do";

/** What `fix` and `message` of the one check of that id say. */
function only(report, id) {
	const found = report.of(id);
	assert.equal(found.length, 1, `${id} in ${report.out}`);
	return found[0];
}

describe("agent-tools doctor", { timeout: 600_000 }, () => {
	test("a healthy project in an empty home is green", async () => {
		const { code, out, err } = await new DoctorHome().doctor(["--port", String(await freePort())]);
		assert.equal(code, 0, out + err);
		assert.match(out, / {2}ok {2}notes is ready: 1 tool, 0 skills\n/);
		assert.match(out, /\n\d+ ok, 0 warnings, 0 errors\n$/);
		const groups = ["Node", "Native part", "Configuration", "Plugins", "Names"];
		for (const group of [...groups, "Processes", "Port", "Folders", "Locks", "Clients"]) {
			assert.match(out, new RegExp(`^${group}\n {2}ok {2}`, "m"));
		}
		assert.equal(err, "");
	});

	test("a home that is a file: what cannot be looked at is a line of its group, and the rest is there", async () => {
		const home = new DoctorHome();
		const { code, checks, err } = await home.report([], { env: { HOME: home.write("no-home", "") } });
		assert.equal(code, 1);
		assert.equal(err, "");
		const groups = new Set(checks.filter(({ level }) => level === "error").map(({ group }) => group));
		assert.ok(groups.has("Folders"), [...groups].join());
		for (const group of ["Node", "Plugins", "Port", "Locks", "Clients"]) {
			assert.ok(
				checks.some((check) => check.group === group),
				group,
			);
		}
	});

	describe("each fault is named with its fix", () => {
		test("a command that is not on PATH, in a client's file", async (t) => {
			const home = new DoctorHome();
			home.write(".claude.json", {
				mcpServers: { "agent-tools": { command: "npx", args: ["-y", "@rckflr/agent-tools-runtime", "mcp"] } },
			});
			const nothing = path.join(home.home, "empty");
			mkdirSync(nothing);
			// Node itself is started by its path.
			home.configure({});
			const { code, of, out } = await home.report([], { env: { PATH: nothing } });
			assert.equal(code, 1, out);
			const [found] = of("clients.command");
			assert.match(
				found?.message ?? out,
				/Claude Code: .*\.claude\.json: agent-tools: the command `npx` is not on PATH/,
			);
			const beside = path.join(path.dirname(process.execPath), "npx");
			t.diagnostic(String(found?.fix));
			assert.ok(
				found?.fix?.includes(beside) || found?.fix?.startsWith("install npx, or write its full path"),
				found?.fix,
			);
		});

		test("a plugin's command that is not there", async () => {
			const home = new DoctorHome();
			home.own({ mcpServers: { gone: { command: "no-such-program-here" } } });
			const found = only(await home.report(), "plugins.start");
			assert.match(found.message, /^gone failed: command not found: "no-such-program-here"/);
			const own = path.join(home.home, ".config/agent-tools/agent-tools.json");
			assert.equal(found.fix, `install no-such-program-here, or correct \`command\` in ${own}`);
		});

		const noOldNode = process.platform !== "linux" && "an old Node is pinned for Linux alone";
		test("a Node that is too old", { skip: noOldNode }, async () => {
			const home = new DoctorHome();
			const { code, out, err } = await home.doctor([], { node: OLD_NODE });
			assert.equal(code, 1);
			assert.equal(out, "");
			assert.match(
				err,
				/^error: Node\.js 18\.\S+ at .* is too old: agent-tools needs 20 or newer\nhint: nvm install 24/,
			);
			assert.doesNotMatch(err, /SyntaxError|\n\s+at /);
			const report = await home.report([], { node: OLD_NODE });
			assert.equal(report.code, 1);
			assert.equal(report.ok, false);
			assert.match(String(only(report, "node.version").fix), /^nvm install 24/);
		});

		test("no native part: everything that needs none is still looked at", async () => {
			const home = new DoctorHome();
			const copy = path.join(home.home, "copy");
			cpSync(path.join(ROOT, "bindings-node"), copy, {
				recursive: true,
				filter: (file) => !file.endsWith(".node") && !file.includes("/test"),
			});
			symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
			writeFileSync(home.file, '{"colour": 1}');
			const report = await home.report([], { cli: path.join(copy, "bin/agent-tools-runtime.js") });
			assert.equal(report.code, 1);
			const found = only(report, "addon.loads");
			assert.match(found.message, /native part .* could not be loaded/);
			assert.equal(found.fix, "npm install --include=optional @rckflr/agent-tools-runtime");
			assert.match(only(report, "config.key").message, /unknown key `colour` \(line 1, column 2\)/);
			const ids = report.checks.map(({ id }) => id);
			for (const id of ["plugins.skipped", "port.free", "folders.data", "locks.held", "clients.file"]) {
				assert.ok(ids.includes(id), `${id} in ${ids}`);
			}
		});

		test("a configuration file that is no JSON", async () => {
			const home = new DoctorHome();
			writeFileSync(home.file, '{\n  "mcpServers": {\n    "a": {"command": "node" "args": []}\n  }\n}\n');
			const found = only(await home.report(), "config.syntax");
			assert.equal(found.message, `${home.file}: line 3, column 29: comma expected`);
			assert.equal(found.fix, `correct it, then: agent-tools validate '${home.file}'`);
		});

		test("a key that nobody reads", async () => {
			const home = new DoctorHome();
			writeFileSync(home.file, '{\n  "mcpServer": {}\n}\n');
			const found = only(await home.report(), "config.key");
			assert.match(found.message, /unknown field `mcpServer`.*\(line 2, column 3\)$/);
		});

		test("a variable that is not set", async () => {
			const home = new DoctorHome();
			home.configure({ mcpServers: { notes: { ...HEALTHY, env: { PLACE: "${NOBODY_SETS_THIS}" } } } });
			const report = await home.report();
			const found = only(report, "config.variable");
			assert.equal(found.message, `${home.file}: NOBODY_SETS_THIS is not set`);
			assert.equal(found.fix, "export NOBODY_SETS_THIS=…");
			assert.equal(only(report, "plugins.start").fix, "export NOBODY_SETS_THIS=…");
			assert.equal(report.code, 1);
			assert.equal((await home.report([], { env: { NOBODY_SETS_THIS: "here" } })).code, 0);
		});

		test("a port that is taken, by another program and by a runtime", async (t) => {
			const home = new DoctorHome();
			const server = createServer((socket) => socket.end("no HTTP\n")).listen(0, "127.0.0.1");
			await once(server, "listening");
			t.after(() => server.close());
			const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
			const report = await home.report(["--port", String(port)]);
			assert.equal(report.code, 1);
			const found = only(report, "port.free");
			assert.match(found.message, new RegExp(`^127\\.0\\.0\\.1:${port} is taken by `));
			if (!onLinux) assert.match(found.message, new RegExp(`process ${process.pid}, `));
			assert.match(String(found.fix), /^agent-tools http --port \d+$/);

			for (const args of [[], ["--token", "a-token-of-ours"]]) {
				const own = await startHttp(t, { args, env: home.env });
				const { checks, ok } = await home.report(["--port", String(own.port)]);
				const said = checks.find(({ id }) => id === "port.free");
				assert.match(String(said?.message), /^agent-tools-runtime \S+( a token\))? listens on /);
				assert.equal(ok, true);
			}
		});

		test("servers that are dead: one that ends, one that says nothing, one that refuses", async () => {
			const home = new DoctorHome();
			home.own({
				mcpServers: {
					ends: { command: "sh", args: ["-c", "echo out of order >&2; exit 3"] },
					silent: { command: "sleep", args: ["1000"] },
					refuses: { url: `http://127.0.0.1:${await freePort()}/mcp` },
				},
			});
			const { code, of, out, checks } = await home.report();
			assert.equal(code, 1);
			const said = new Map(of("plugins.start").map((check) => [check.message.split(" ")[0], check]));
			assert.match(said.get("ends")?.message ?? out, /exit status: 3; its last words on stderr: out of order/);
			assert.equal(said.get("ends")?.fix, "AGENT_TOOLS_LOG=debug agent-tools doctor --plugin ends");
			assert.match(said.get("silent")?.message ?? out, /silent has not started within \d+ s/);
			assert.match(said.get("refuses")?.message ?? out, /could not be reached at 127\.0\.0\.1:\d+/);
			assert.match(
				String(said.get("refuses")?.fix),
				/^start what should listen on 127\.0\.0\.1:\d+, or correct `url` in /,
			);
			// The others are looked at all the same.
			assert.ok(checks.some(({ message, level }) => level === "ok" && message.startsWith("notes is ready")));

			const one = await home.report(["--plugin", "notes"]);
			assert.equal(one.code, 0, one.out);
			assert.doesNotMatch(one.out, /refuses|silent/);
		});

		test("a login that has expired, and one that nobody has made", async (t) => {
			const home = new DoctorHome();
			const issuer = await authorizationServer(t);
			issuer.behaviour.token = (_form, response) => {
				sendJson(response, 200, { access_token: "CANARY-short-lived", token_type: "Bearer", expires_in: 1 });
				return true;
			};
			const server = await protectedServer(t, { isGood: () => false, issuer: issuer.url });
			home.own({ mcpServers: { tracker: { url: server.url, auth: { oauth: {} } } } });
			const before = only(await home.report(), "credentials.login");
			assert.equal(before.level, "warning");
			assert.equal(before.message, "nobody is logged in to the service of tracker");
			assert.equal(before.fix, "agent-tools login tracker");

			const login = spawn(process.execPath, [CLI, "login", "tracker"], { cwd: home.project, env: home.env });
			let said = "";
			login.stderr.setEncoding("utf8").on("data", (text) => {
				said += text;
			});
			await visit(await until("an address", () => /^ {2}(http:\S+)$/m.exec(said)?.[1]));
			if (login.exitCode === null) await once(login, "close");
			assert.match(said, /Logged in/);
			const report = await until("an expired login", async () => {
				const now = await home.report();
				return now.of("credentials.login").some(({ message }) => /expired/.test(message)) ? now : undefined;
			});
			const found = only(report, "credentials.login");
			assert.equal(found.level, "error");
			assert.match(found.message, /^the login of tracker has expired on \d{4}-\d\d-\d\dT/);
			assert.equal(found.fix, "agent-tools login tracker");
			assert.doesNotMatch(report.out, /CANARY/);
		});

		test("a tool that is not there, in the policy and in pins", async () => {
			const home = new DoctorHome();
			home.configure({
				mcpServers: { notes: HEALTHY },
				policy: { tools: { "notes/ecko": "deny", "notes/{echo,x}": "ask", "n?tes/*": "ask" } },
				pin: ["notse/echo", "notes/echo", "notes/list_*"],
			});
			const report = await home.report();
			const [policy] = report.of("names.policy");
			assert.equal(report.of("names.policy").length, 1, report.out);
			assert.match(String(policy?.message), /policy\.tools: `notes\/ecko`: no tool or skill is called so$/);
			assert.equal(policy?.fix, `write \`notes/echo\` in ${home.file}`);
			const pins = report.of("names.pin").map(({ message }) => message.replace(/^.*: pin: /, ""));
			assert.deepEqual(pins, [
				"`notse/echo`: there is no plugin `notse`",
				"`notes/list_*`: no tool or skill is called so",
			]);
			assert.equal(report.code, 0);
			assert.equal((await home.report(["--strict"])).code, 1);
		});

		test("a related skill that is not there", async () => {
			const home = new DoctorHome();
			const skill = { description: "Does it.", steps: [{ id: "a", call: "t" }], result: "{{a}}" };
			home.write("project/agent-tools-plugin-mine/plugin.json", {
				prefix: "mine",
				description: "Mine.",
				adapter: "./a.mjs",
				skills: ["./s.json"],
			});
			home.write("project/agent-tools-plugin-mine/a.mjs", "export default class { listTools() { return []; } }");
			home.write("project/agent-tools-plugin-mine/s.json", { ...skill, related: [{ target: "mine:gone" }] });
			const report = await home.report(["--plugins-dir", home.project]);
			assert.match(only(report, "names.related").message, /mine:s names "mine:gone" as related, which does not exist/);
		});

		test("a lock that a stopped process holds, and one that is no file", { skip: onLinux }, async (t) => {
			const home = new DoctorHome();
			assert.equal((await home.report()).code, 0);
			const name = readdirSync(path.join(home.data, "trust")).find((file) => file.endsWith(".lock"));
			const lock = path.join(home.data, "trust", String(name));
			const holder = spawn("flock", [lock, "sh", "-c", "echo held; exec sleep 1000"], {
				stdio: ["ignore", "pipe", "ignore"],
				detached: true,
			});
			t.after(() => process.kill(-Number(holder.pid), "SIGKILL"));
			await once(holder.stdout, "data");
			process.kill(-Number(holder.pid), "SIGSTOP");
			const report = await home.report();
			const found = report.of("locks.held").find(({ level }) => level === "error");
			assert.match(found?.message ?? report.out, /trust\/\w+\.lock is held by process \d+ \(\w+\), which is stopped/);
			assert.match(String(found?.fix), /^kill -CONT \d+ lets it go on, kill -9 \d+ ends it$/);

			const audit = path.join(home.home, ".local/state/agent-tools/audit/lock");
			rmSync(audit, { force: true });
			mkdirSync(audit, { recursive: true });
			const other = (await home.report()).of("locks.file");
			assert.deepEqual(
				other.map(({ fix }) => fix),
				[`mv '${audit}' '${audit}.old'`],
			);
		});

		test("processes that are left over from a runtime that is gone", { skip: onLinux }, async (t) => {
			const gone = spawn("true");
			await once(gone, "close");
			const left = spawn("sleep", ["1000"], {
				env: {
					PATH: process.env.PATH,
					AGENT_TOOLS_CHILD_OF: `${gone.pid}-0-${(BigInt(Date.now()) * 1_000_000n).toString(16)}.`,
				},
			});
			t.after(() => left.kill("SIGKILL"));
			const found = only(await new DoctorHome().report(), "processes.left");
			assert.match(found.message, new RegExp(`\\b${left.pid} \\(sleep\\)`));
			assert.match(String(found.fix), new RegExp(`^kill -9 .*\\b${left.pid}\\b`));
		});

		test("a folder that is a file, and a configuration that everybody may write", async () => {
			const home = new DoctorHome();
			const place = home.write(".cache", "in the way");
			if (process.platform !== "win32") chmodSync(home.file, 0o666);
			const report = await home.report();
			assert.match(only(report, "folders.cache").message, /\.cache is a file and no folder$/);
			assert.ok(only(report, "folders.cache").fix?.startsWith(`mv '${place}' '${place}.old'`));
			if (process.platform !== "win32") assert.equal(only(report, "config.owner").fix, `chmod o-w '${home.file}'`);
		});

		test("a secret that is not kept", async () => {
			const home = new DoctorHome();
			home.own({
				secrets: { tracker: { keyring: "tracker" } },
				mcpServers: { tracker: { ...HEALTHY, env: { TOKEN: "${secret:tracker}" } } },
			});
			const report = await home.report();
			assert.equal(only(report, "credentials.secret").fix, "agent-tools secret set tracker");
			assert.equal(only(report, "plugins.start").fix, "agent-tools secret set tracker");
		});

		test("a definition that has changed since", async () => {
			const home = new DoctorHome();
			assert.equal((await home.report()).code, 0);
			const trust = path.join(home.data, "trust");
			const file = readdirSync(trust).find((name) => name.endsWith(".json"));
			// As if another description had been met at first.
			const { code, of } = await changed(home, path.join(trust, String(file)));
			assert.equal(code, 0);
			const [found] = of("plugins.held-back");
			assert.match(String(found?.message), /^notes has tools that are held back, as their definition changed: echo$/);
			assert.equal(found?.fix, "agent-tools trust notes");
		});

		test("a pipe, and a file nested without end, where the configuration should be", { skip: onLinux }, async () => {
			const home = new DoctorHome();
			writeFileSync(home.file, "[".repeat(5000));
			assert.match(only(await home.report(), "config.syntax").message, /column 501: it is nested too deeply$/);
			rmSync(home.file);
			execFileSync("mkfifo", [home.file]);
			assert.match(only(await home.report(), "config.syntax").message, /: it is a pipe and no file$/);
		});

		test("files of other clients that cannot be read", async () => {
			const home = new DoctorHome();
			home.write(".cursor/mcp.json", '{\n "mcpServers": {"a": ]\n}');
			home.write(".codex/config.toml", '[mcp_servers.agent-tools]\ncommand = "npx\n');
			home.write(".hermes/config.yaml", 'mcp_servers:\n  a: "x" "CANARY"\n');
			const found = (await home.report()).of("clients.syntax").map(({ message }) => message.replaceAll(home.home, "~"));
			assert.equal(found.length, 3, found.join("\n"));
			const of = (/** @type {string} */ client) => String(found.find((message) => message.startsWith(`${client}: `)));
			assert.match(of("Cursor"), /: ~\/\.cursor\/mcp\.json: line 2, column 22: /);
			assert.match(of("Codex"), /: ~\/\.codex\/config\.toml: line 2, column /);
			assert.match(of("Hermes"), /: ~\/\.hermes\/config\.yaml: line 2, column \d+: /);
			assert.doesNotMatch(found.join("\n"), /CANARY/);
		});

		test("an address of a client where nobody listens, and a program of Codex that is gone", async () => {
			const home = new DoctorHome();
			const port = await freePort();
			home.write(".cursor/mcp.json", {
				mcpServers: { "agent-tools": { url: `http://127.0.0.1:${port}/mcp?key=CANARY` } },
			});
			home.write(
				".codex/config.toml",
				'[mcp_servers.agent-tools]\ncommand = "agent-tools-gone"\nargs = ["mcp", "agent-tools"]\n',
			);
			const report = await home.report();
			assert.equal(only(report, "clients.address").fix, `agent-tools http --port ${port}`);
			assert.match(only(report, "clients.command").message, /^Codex: .*the command `agent-tools-gone` is not on PATH/);
			assert.doesNotMatch(report.out, /CANARY/);
		});

		test("entries of goose, of Hermes and of Claude Code in a folder of its own", async () => {
			const home = new DoctorHome();
			home.write(
				".config/goose/config.yaml",
				"extensions:\n  agent-tools:\n    cmd: gone-1\n    args: [agent-tools]\n",
			);
			home.write(".hermes/config.yaml", "mcp_servers:\n  agent-tools:\n    command: gone-2\n    args: [agent-tools]\n");
			const mcpServers = { "agent-tools": { command: "gone-3", args: ["agent-tools"] } };
			home.write("claude/.claude.json", { mcpServers });
			const report = await home.report([], { env: { CLAUDE_CONFIG_DIR: path.join(home.home, "claude") } });
			const found = report.of("clients.command").map(({ message }) => message.replaceAll(home.home, "~"));
			assert.deepEqual(found.sort(), [
				"Claude Code: ~/claude/.claude.json: agent-tools: the command `gone-3` is not on PATH",
				"Hermes: ~/.hermes/config.yaml: agent-tools: the command `gone-2` is not on PATH",
				"goose: ~/.config/goose/config.yaml: agent-tools: the command `gone-1` is not on PATH",
			]);
		});

		test("the extension of Pi is named where it is installed", async () => {
			const home = new DoctorHome();
			const named = async (/** @type {unknown[]} */ packages) => {
				home.write(".pi/agent/settings.json", { packages });
				const { checks } = await home.report();
				return checks.filter(({ message }) => message.startsWith("Pi: ")).map(({ message }) => message);
			};
			const extension = "npm:agent-tools-runtime-pi-extension";
			for (const ours of [`${extension}@0.3.0`, { source: extension, skills: [] }]) {
				const source = typeof ours === "string" ? ours : ours.source;
				assert.match(String(await named(["npm:other", ours])), new RegExp(`settings\\.json: ${source}$`));
			}
			assert.match(String(await named(["npm:other"])), /settings\.json does not name the extension of agent-tools$/);
		});

		test("a Pi and an eve that are too old", async () => {
			const home = new DoctorHome();
			const version = (/** @type {string} */ id, /** @type {string} */ number) =>
				home.write(`project/node_modules/${id}/package.json`, { name: id, version: number });
			version("@earendil-works/pi-coding-agent", "0.9.4");
			version("eve", "0.75.2");
			const report = await home.report();
			assert.match(only(report, "clients.pi").message, /^Pi 0\.9\.4 is older than what is supported: 1\.0\.0 or newer/);
			assert.equal(only(report, "clients.eve").fix, "npm install eve@0.80.1");
			version("eve", "0.80.1");
			assert.equal(
				(await home.report([], { node: nodeFolder(24) ? path.join(String(nodeFolder(24)), "node") : undefined })).of(
					"clients.eve",
				).length,
				0,
			);
		});
	});

	test("what needs set-up is a warning, with the sentence that discover has", async () => {
		const home = new DoctorHome();
		writeFileSync(home.file, JSON.stringify({ plugins: onlyRepositoryPlugins("n8n") }));
		const report = await home.report(["--plugin", "n8n"]);
		const found = only(report, "plugins.set-up");
		assert.equal(found.level, "warning");
		assert.equal(report.code, 0, report.out);
		assert.equal(found.fix, "export N8N_URL=…; export N8N_API_KEY=…");
		const child = spawn(process.execPath, [CLI, "discover", "--plugin", "n8n", "workflows"], {
			cwd: home.project,
			env: home.env,
		});
		let said = "";
		child.stderr.setEncoding("utf8").on("data", (text) => {
			said += text;
		});
		await once(child, "close");
		const sentence = found.message.replace("n8n needs set-up: ", "");
		assert.ok(said.includes(sentence), `${sentence}\n${said}`);
	});

	test("no secret is in what it says", async () => {
		const home = new DoctorHome();
		const canary = "CANARY0a1B2c3D4e5F6g7H";
		home.write("token", `${canary}file`);
		chmodSync(path.join(home.home, "token"), 0o600);
		home.own({
			secrets: { kept: { file: path.join(home.home, "token") } },
			mcpServers: {
				leaks: {
					command: "sh",
					args: ["-c", "echo $TOKEN $OTHER >&2; exit 1"],
					env: { TOKEN: "${secret:kept}", OTHER: "${LEAK_TOKEN}" },
				},
				remote: {
					url: `http://127.0.0.1:${await freePort()}/mcp?token=${canary}query`,
					headers: { Authorization: `Bearer ${canary}header` },
				},
			},
		});
		home.write(".claude.json", {
			mcpServers: { "agent-tools": { command: "gone", args: ["agent-tools"], env: { API_TOKEN: `${canary}client` } } },
		});
		const env = { LEAK_TOKEN: `${canary}variable`, AGENT_TOOLS_HTTP_TOKEN: `${canary}http` };
		for (const args of [[], ["--json"]]) {
			const { out, err } = await home.doctor(args, { env });
			assert.match(out, /leaks failed/);
			assert.match(out, /<redacted>/);
			assert.doesNotMatch(out + err, /CANARY/);
		}
	});

	test("--json: every check has an id, a group, a level and a message, and ok says how it ended", async () => {
		const home = new DoctorHome();
		for (const args of [[], ["--strict"]]) {
			const { checks, ok, code, out } = await home.report(args);
			assert.deepEqual(Object.keys(JSON.parse(out)), ["checks", "ok"]);
			assert.equal(ok, code === 0);
			for (const check of checks) {
				const { id, group, level, message, fix, ...more } = check;
				assert.match(id, /^[a-z-]+\.[a-z-]+$/);
				assert.ok(["ok", "warning", "error"].includes(level) && group && message, JSON.stringify(check));
				assert.ok(fix === undefined || (typeof fix === "string" && fix), JSON.stringify(check));
				assert.deepEqual(more, {});
			}
		}
	});

	test("colour is for those who want it", async () => {
		const home = new DoctorHome();
		const colour = "\u001b[";
		assert.ok(!(await home.doctor()).out.includes(colour), "what is piped has none");
		assert.ok((await home.doctor([], { env: { FORCE_COLOR: "1" } })).out.includes(`${colour}32mok`));
		assert.ok(!(await home.doctor([], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).out.includes(colour));
	});

	const noTerminal = process.platform !== "linux" && "util-linux's script is used";
	test("on a terminal lines fit, and what is waited for is shown and taken away", { skip: noTerminal }, async () => {
		const home = new DoctorHome();
		home.own({ mcpServers: { gone: { command: "no-such-program-here" } } });
		const line = `stty cols 80 2>/dev/null; '${process.execPath}' '${CLI}' doctor`;
		const child = spawn("script", ["-qec", line, "/dev/null"], {
			cwd: home.project,
			env: { ...home.env, TERM: "xterm" },
			stdio: ["ignore", "pipe", "inherit"],
		});
		let shown = "";
		child.stdout.setEncoding("utf8").on("data", (text) => {
			shown += text;
		});
		const [code] = await once(child, "close");
		assert.equal(code, 1, shown);
		assert.match(shown, /Starting /);
		assert.ok(shown.includes("\u001b[31merror"), shown);
		// What stands after the last erased line is the report.
		const report = stripVTControlCharacters(shown.slice(shown.lastIndexOf("\u001b[2K")));
		const long = report.split(/\r?\n/).filter((text) => text.length > 80 && /\s/.test(text.trim()));
		assert.deepEqual(long, []);
	});

	test("a wrong command line is one", async () => {
		const home = new DoctorHome();
		for (const args of [
			["--plugin", "nobody"],
			["--port", "x"],
			["--config", "gone.json"],
			["--view", "flat"],
		]) {
			const { code, err } = await home.doctor(args);
			assert.equal(code, 2, err);
			assert.match(err, /^error: /m);
		}
	});
});

/**
 * Changes what is pinned of the tools in a lock file of trust.
 *
 * @param {DoctorHome} home
 * @param {string} file
 */
async function changed(home, file) {
	const text = readFileSync(file, "utf8");
	writeFileSync(file, text.replace(/"[0-9a-f]{64}"/g, `"${"0".repeat(64)}"`));
	return home.report();
}
