// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the runtime expands them
// A secret in each place that one can come from: it arrives where it was meant to, and is in nothing that comes back.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startHttp } from "../harness/cli-http.js";
import { CLI } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";
import { StdioSession } from "../harness/stdio-session.js";
import { authorizationServer } from "../oauth/authorization-server.js";
import { visit } from "../oauth/plugin.js";
import { listen, readBody } from "../oauth/serve.js";
import { canaries, leaks } from "./canaries.js";
import { echoService } from "./echo-service.js";
import { fingerprint, written } from "./shown.js";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const SERVER = path.join(HERE, "echo-server.mjs");
const PROGRAM = path.join(HERE, "echo-program.mjs");
const NODE = process.execPath;

const SECRETS = {
	...canaries([
		"secretFile",
		"secretCommand",
		"secretKept",
		"environment",
		"argument",
		"programEnvironment",
		"programArgument",
		"moduleEnvironment",
		"header",
		"query",
		"apiHeader",
		"apiQuery",
		"keyInHeader",
		"keyInQuery",
		"password",
		"passwordOfPair",
		"clientSecret",
		"machineSecret",
		"collector",
		"given",
		"unused",
	]),
	// In a cookie, a token or a URL fewer characters may stand.
	...canaries(["apiCookie", "keyInCookie", "bearer", "tokenCommand", "door"], "/+"),
	...canaries(["user", "userPassword"], "-"),
};

/** The variables that the configuration names. No name says that it is a secret: the place does. */
const VARIABLES = Object.fromEntries(Object.entries(SECRETS).map(([place, secret]) => [`V_${place}`, secret]));

/** What arrives where, by the plugin. */
const ARRIVES = {
	program: ["environment", "argument", "secretFile"],
	web: ["header", "query", "secretCommand"],
	events: ["userPassword"],
	user: ["user"],
	api: ["apiHeader", "apiQuery", "apiCookie", "secretKept"],
	cli: ["programEnvironment", "programArgument"],
	module: ["moduleEnvironment"],
	bare: [],
};

const SCHEMES = {
	bearer: { type: "http", scheme: "bearer" },
	keyInHeader: { type: "apiKey", in: "header", name: "X-Thing" },
	keyInQuery: { type: "apiKey", in: "query", name: "thing" },
	keyInCookie: { type: "apiKey", in: "cookie", name: "thing" },
	password: { type: "http", scheme: "basic" },
	passwordOfPair: { type: "http", scheme: "basic" },
};

/** Of each scheme, and of none. */
function openApiDocument() {
	const ways = ["show", "refusing", "failing", "redirecting"];
	const paths = ["none", ...Object.keys(SCHEMES)].flatMap((scheme) =>
		ways.map((way) => {
			const operation = {
				operationId: `${way}_${scheme}`,
				security: scheme === "none" ? [] : [{ [scheme]: [] }],
				responses: { 200: { description: "what was sent" } },
			};
			return [`/${way}/${scheme}`, { get: operation }];
		}),
	);
	return {
		openapi: "3.1.0",
		info: { title: "Echo", version: "1" },
		components: { securitySchemes: SCHEMES },
		paths: Object.fromEntries(paths),
	};
}

/**
 * A user's folders and services, with a configuration that holds every secret.
 *
 * @param {{after(fn: () => unknown): void}} t
 */
async function setUp(t) {
	const home = mkdtempSync(path.join(tmpdir(), "agent-tools-every-source-"));
	t.after(() => rmSync(home, { recursive: true, force: true }));
	const folders = Object.fromEntries(
		["config", "data", "cache", "state", "audit", "work", "module"].map((name) => [name, path.join(home, name)]),
	);
	for (const folder of Object.values(folders)) mkdirSync(folder);

	const issuer = await authorizationServer(/** @type {any} */ (t));
	issuer.clients.set("person", { secret: SECRETS.clientSecret, method: "client_secret_basic" });
	issuer.clients.set("machine", { secret: SECRETS.machineSecret, method: "client_secret_basic" });
	const origin = await echoService(/** @type {any} */ (t), { issuer: issuer.url });
	/** @type {{headers: import("node:http").IncomingHttpHeaders, body: string}[]} */
	const spans = [];
	const collector = await listen(/** @type {any} */ (t), async (incoming, response) => {
		spans.push({ headers: incoming.headers, body: await readBody(incoming) });
		// An exporter may log what a collector answers.
		response.writeHead(400).end(written(Object.values(incoming.headers).map(String)).join(" "));
	});

	const secretFile = path.join(home, "secret");
	writeFileSync(secretFile, `${SECRETS.secretFile}\n`, { mode: 0o600 });
	// Like a program that is debugged: it writes on stderr whatever it knows, before it prints it.
	const printing = path.join(home, "print.mjs");
	writeFileSync(
		printing,
		`const secret = ${JSON.stringify(SECRETS)}[process.argv[2]];
		console.error("about to print", secret, JSON.stringify(process.env));
		if (process.argv[3]) process.exit(4);
		console.log(secret);`,
	);
	writeFileSync(path.join(home, "api.json"), JSON.stringify(openApiDocument()));
	writeFileSync(
		path.join(folders.module, "plugin.json"),
		JSON.stringify({
			name: "agent-tools-plugin-module",
			extensions: {
				"dev.agent-tools-runtime": {
					prefix: "module",
					adapter: "./echo-module.mjs",
					adapterExport: "Echo",
					skills: ["./echo-module.mjs"],
					requireConfirm: false,
					toolTimeoutsMs: { hang: 500 },
				},
			},
		}),
	);
	for (const file of ["echo-module.mjs", "shown.js"]) {
		writeFileSync(path.join(folders.module, file), readFileSync(path.join(HERE, file)));
	}

	const [, host] = origin.split("//");
	const config = {
		secrets: {
			file: { file: secretFile },
			command: { command: [NODE, printing, "secretCommand"] },
			fails: { command: [NODE, printing, "secretCommand", "fail"] },
			kept: { keyring: "kept" },
		},
		mcpServers: {
			program: {
				command: NODE,
				args: [SERVER, "--password", "${V_argument}"],
				env: { API_TOKEN: "${V_environment}", NAMED: "${secret:file}" },
			},
			bare: { command: NODE, args: [SERVER] },
			web: {
				url: `${origin}/mcp?api_key=\${V_query}`.replace("${V_query}", "${E_query}"),
				headers: { "X-Api-Key": "${V_header}", "X-Named": "${secret:command}" },
			},
			events: {
				url: `http://somebody:\${V_userPassword}@${host}/events/mcp`,
				headers: {},
			},
			user: { url: `http://\${V_user}@${host}/mcp` },
			command: { url: `${origin}/events/mcp`, auth: { tokenCommand: [NODE, printing, "tokenCommand"] } },
			commandFails: { url: `${origin}/mcp`, auth: { tokenCommand: [NODE, printing, "tokenCommand", "fail"] } },
			secretFails: { url: `${origin}/mcp`, headers: { A: "${secret:fails}" } },
			person: {
				url: `${origin}/guarded/mcp`,
				auth: { oauth: { clientId: "person", clientSecret: "${V_clientSecret}" } },
			},
			machine: {
				url: `${origin}/guarded/mcp`,
				auth: { clientCredentials: { clientId: "machine", clientSecret: "${V_machineSecret}" } },
			},
		},
		openapi: {
			api: {
				document: path.join(home, "api.json"),
				baseUrl: origin,
				headers: { "X-Token": "${V_apiHeader}", "X-Kept": "${secret:kept}" },
				query: { access_token: "${V_apiQuery}" },
				cookies: { plain: "${V_apiCookie}" },
				auth: {
					bearer: "${V_bearer}",
					keyInHeader: "${V_keyInHeader}",
					keyInQuery: "${V_keyInQuery}",
					keyInCookie: "${V_keyInCookie}",
					password: { username: "somebody", password: "${V_password}" },
					passwordOfPair: "somebody:${V_passwordOfPair}",
				},
			},
		},
		cli: {
			cli: {
				command: NODE,
				env: { PROGRAM_TOKEN: "${V_programEnvironment}" },
				tools: Object.fromEntries(
					["show", "fail", "crash", "hang"].map((how) => [
						how,
						{
							args: [PROGRAM, how, "--api-key", "${V_programArgument}"],
							stdin: { param: "password", optional: true },
							readOnly: true,
							...(how === "hang" && { timeoutMs: 500 }),
						},
					]),
				),
			},
		},
		plugins: [{ path: folders.module, env: { MODULE_TOKEN: "${V_moduleEnvironment}" } }],
		telemetry: { otlp: { endpoint: collector, headers: { "X-Key": "${V_collector}" } } },
	};
	const configFile = path.join(folders.config, "agent-tools.json");
	writeFileSync(configFile, JSON.stringify(config));
	const env = {
		...process.env,
		...VARIABLES,
		E_query: encodeURIComponent(SECRETS.query),
		UNUSED_SECRET: SECRETS.unused,
		AGENT_TOOLS_CONFIG_DIR: folders.config,
		AGENT_TOOLS_DATA_DIR: folders.data,
		AGENT_TOOLS_CACHE_DIR: folders.cache,
		AGENT_TOOLS_STATE_DIR: folders.state,
		AGENT_TOOLS_AUDIT_DIR: folders.audit,
		AGENT_TOOLS_LOG: "trace",
		AGENT_TOOLS_VIEW: "facade",
	};
	return { home, folders, env, configFile, issuer, origin, spans };
}

/**
 * @param {{env: NodeJS.ProcessEnv, folders: Record<string, string>}} user
 * @param {string[]} args
 * @param {{input?: string, onOutput?: (text: string) => void}} [how]
 */
async function command({ env, folders }, args, { input = "", onOutput } = {}) {
	const child = spawn(NODE, [CLI, ...args], { env, cwd: folders.work, stdio: ["pipe", "pipe", "pipe"] });
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.on("data", (chunk) => {
			output += chunk;
			onOutput?.(output);
		});
	}
	child.stdin.end(input);
	const [code] = await once(child, "close");
	return { code, output };
}

/** @param {string} folder */
function filesBelow(folder) {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return entries.map(({ parentPath, name }) => path.join(parentPath, name));
}

/**
 * @param {string} plugin
 * @param {string} toolName
 * @param {Record<string, unknown>} [args]
 */
function call(plugin, toolName, args = {}) {
	return { name: `agent_tools_${plugin}_call`, arguments: { toolName, arguments: args, confirm: true } };
}

/** Everything that is asked: it goes well, is refused, fails, crashes and takes too long. */
function everyCall() {
	const plugins = ["program", "bare", "web", "events", "user", "command", "person", "machine"];
	const ways = ["show", "error", "refuse", "crash", "none_such", "show"];
	const schemes = ["none", ...Object.keys(SCHEMES)];
	return [
		...[...plugins, "commandFails", "secretFails", "api", "cli", "module"].map((plugin) => ({
			name: `agent_tools_${plugin}_discover`,
			arguments: { query: "show" },
		})),
		...plugins.flatMap((plugin) => ways.map((way) => call(plugin, way))),
		...["commandFails", "secretFails"].map((plugin) => call(plugin, "show")),
		...schemes.flatMap((scheme) =>
			["show", "refusing", "failing", "redirecting"].map((way) => call("api", `${way}_${scheme}`)),
		),
		...["show", "fail", "crash", "hang"].map((how) => call("cli", how)),
		...["show", "error", "refuse", "hang", "crash", "show"].map((how) => call("module", how)),
		{ name: "agent_tools_module_run_skill", arguments: { skill: "echo-module", arguments: {}, confirm: true } },
		{ name: "agent_tools_help", arguments: {} },
	];
}

/**
 * The places whose secrets a reply's service was given.
 *
 * @param {string} reply
 */
function arrived(reply) {
	return Object.entries(SECRETS).flatMap(([place, secret]) => (reply.includes(fingerprint(secret)) ? [place] : []));
}

describe("a secret of every source is seen by nobody but its service", { timeout: 600_000 }, () => {
	/** @type {(() => unknown)[]} */
	const ends = [];
	const scope = { after: (/** @type {() => unknown} */ end) => void ends.push(end) };
	/** @type {Awaited<ReturnType<typeof setUp>>} */
	let user;
	/** Secrets that the authorization server made. @type {Record<string, string>} */
	const issued = {};
	/** @param {string} text */
	const seen = (text) => leaks({ ...SECRETS, ...issued }, text);

	before(async () => {
		user = await setUp(scope);
	});
	after(async () => {
		for (const end of ends.reverse()) await end();
	});

	test("by the commands that take them", async () => {
		const set = await command(user, ["secret", "set", "kept"], { input: SECRETS.secretKept });
		assert.equal(set.code, 0, set.output);
		assert.deepEqual(seen(set.output), []);

		/** @type {Promise<unknown>[]} */
		const pages = [];
		const login = await command(user, ["login", "person"], {
			onOutput: (output) => {
				const url = /^ {2}(http:\S+)$/m.exec(output)?.[1];
				if (url && pages.length === 0) pages.push(visit(url));
			},
		});
		await Promise.all(pages);
		assert.equal(login.code, 0, login.output);
		const kept = filesBelow(path.join(user.folders.data, "logins")).find((file) => file.endsWith(".json"));
		const { tokens } = JSON.parse(readFileSync(kept ?? "", "utf8"));
		for (const [name, text] of Object.entries({ access: tokens.access, refresh: tokens.refresh })) {
			assert.match(text, /^CANARY-/);
			issued[name] = text;
		}
		const [{ form, headers: sent }] = user.issuer.grants("authorization_code");
		issued.code = form.get("code") ?? "";
		issued.verifier = form.get("code_verifier") ?? "";
		issued.basic = sent.authorization?.slice("Basic ".length) ?? "";
		assert.equal(
			decodeURIComponent(Buffer.from(issued.basic, "base64").toString()),
			`person:${SECRETS.clientSecret}`,
			"it arrived",
		);
		assert.deepEqual(seen(login.output), []);
	});

	test("over stdio, with every log line, in the call log, the cache and what spans say", async () => {
		const { env, folders, spans, issuer } = user;
		const session = new StdioSession("legacy", NODE, [CLI, "mcp"], { env, cwd: folders.work });
		scope.after(() => session.child.kill("SIGKILL"));
		await session.open();
		const replies = [await session.request("tools/list")];
		/** @type {Record<string, string>} */
		const shown = {};
		for (const asked of everyCall()) {
			const reply = await session.request("tools/call", { ...asked, _meta: { progressToken: replies.length } });
			replies.push(reply);
			const { toolName = "" } = /** @type {any} */ (asked.arguments);
			if (toolName.startsWith("show")) shown[`${asked.name} ${toolName}`] ??= JSON.stringify(reply);
		}
		const given = call("cli", "show", { password: SECRETS.given });
		const { given: _, ...others } = SECRETS;
		const answer = JSON.stringify(await session.request("tools/call", given));
		assert.ok(arrived(answer).includes("given"), "an argument arrives on stdin");
		assert.deepEqual(leaks(others, answer), []);

		// The server takes the token no longer, and its authorization server gives no other.
		issuer.endAccessTokens();
		issuer.behaviour.token = (form, response) => {
			const said = written([...form.values()]).join(" ");
			response.writeHead(400, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: "invalid_request", error_description: said }));
			return true;
		};
		replies.push(await session.request("tools/call", call("machine", "show")));
		replies.push(await session.request("tools/list"));
		delete issuer.behaviour.token;
		session.child.stdin.end();
		await session.ended;

		const text = JSON.stringify([replies, session.notifications]);
		assert.match(text, /<redacted>/);
		assert.match(text, /PLUGIN_CRASHED/);
		assert.match(text, /CALL_TIMEOUT|TIMEOUT/);
		assert.deepEqual(seen(text), []);
		assert.deepEqual(seen(session.stderr), [], "the log");
		assert.match(session.stderr, /<redacted>/);
		for (const [plugin, places] of Object.entries(ARRIVES)) {
			const tool = plugin === "api" ? "show_none" : "show";
			const reply = shown[`agent_tools_${plugin}_call ${tool}`];
			assert.deepEqual(arrived(reply).sort(), places.toSorted(), `${plugin}: ${reply}`);
		}
		for (const scheme of Object.keys(SCHEMES)) {
			const places = [...ARRIVES.api, scheme].sort();
			assert.deepEqual(arrived(shown[`agent_tools_api_call show_${scheme}`]).sort(), places, scheme);
		}
		assert.deepEqual(arrived(shown["agent_tools_command_call show"]), ["tokenCommand"]);
		assert.ok(shown["agent_tools_person_call show"].includes(fingerprint(issued.access)), "the login's token");
		const [machine] = issuer.grants("client_credentials");
		const pair = Buffer.from(machine.headers.authorization?.slice("Basic ".length) ?? "", "base64").toString();
		assert.equal(decodeURIComponent(pair), `machine:${SECRETS.machineSecret}`);
		assert.equal(spans[0]?.headers["x-key"], SECRETS.collector);
		assert.deepEqual(seen(spans.map(({ body }) => body).join("\n")), [], "spans");
	});

	test("over HTTP, with what is counted, and the door's own token", async (t) => {
		const { env } = user;
		const http = { ...env, AGENT_TOOLS_HTTP_TOKEN: SECRETS.door, PWD: user.folders.work };
		const server = await startHttp(t, { args: ["--metrics"], env: http });
		const authorization = `Bearer ${SECRETS.door}`;
		let text = "";
		for (const asked of everyCall().filter(({ name }) => /program|web|events|api|module/.test(name))) {
			const answer = await fetch(server.url, {
				method: "POST",
				headers: { ...headers("modern", "tools/call", asked), authorization },
				body: JSON.stringify(request("modern", 1, "tools/call", asked)),
			});
			text += await answer.text();
		}
		const metrics = await fetch(new URL("/metrics", server.url), { headers: { authorization } });
		assert.equal(metrics.status, 200);
		text += await metrics.text();
		const refused = await fetch(server.url, { method: "POST", headers: { authorization: `${authorization}x` } });
		assert.equal(refused.status, 401);
		text += `${JSON.stringify([...refused.headers])} ${await refused.text()}`;
		assert.match(text, /<redacted>/);
		assert.deepEqual(seen(text), []);
		assert.deepEqual(seen(server.output()), []);
	});

	test("by commands that show", async () => {
		const skills = path.join(user.folders.work, "skills");
		for (const args of [
			["list", "--json"],
			["discover", "show"],
			["cost"],
			["skills", "--out", skills],
			["audit", "list"],
			["validate", user.configFile],
			["validate", user.folders.module],
			["policy", "explain", "program", "show"],
			["trust"],
			["secret", "list"],
			["logout", "machine"],
		]) {
			const { output } = await command(user, args);
			assert.deepEqual(seen(output), [], args.join(" "));
			assert.ok(output.length > 0, args.join(" "));
		}
	});

	test("in what was left on disk", () => {
		const { folders } = user;
		const places = [folders.cache, folders.data, folders.state, folders.audit, folders.work];
		const kept = [path.join(folders.data, "secrets"), path.join(folders.data, "logins")];
		const files = places.flatMap(filesBelow).filter((file) => !kept.some((own) => file.startsWith(own + path.sep)));
		assert.ok(files.some((file) => file.startsWith(folders.audit)) && files.some((file) => file.endsWith("SKILL.md")));
		for (const file of files) assert.deepEqual(seen(readFileSync(file, "latin1")), [], file);
	});

	test("in what an exception of the command says", async () => {
		// Thrown once the command would be told of it.
		const thrown = `const wait = setInterval(() => {
			if (process.listenerCount("uncaughtException") === 0) return;
			clearInterval(wait);
			throw new Error("met " + process.env.UNUSED_SECRET);
		}, 5);`;
		const env = { ...user.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(thrown)}` };
		const { code, output } = await command({ ...user, env }, ["http", "--port", "0"]);
		assert.equal(code, 1);
		assert.match(output, /error: Error: met <redacted>\n\s+at /);
		assert.deepEqual(seen(output), []);
	});

	test("in what is said of a configuration that has it in the wrong place", async (t) => {
		const other = await setUp(t);
		const wrong = canaries(["one", "two", "three"]);
		const { one, two, three } = wrong;
		const server = { url: `${other.origin}/mcp` };
		const entries = {
			mcpServers: {
				a: { ...server, headers: `Authorization: Bearer ${one}` },
				b: { ...server, auth: one },
				c: { command: NODE, args: two },
				d: { command: NODE, env: [one, two] },
				e: { ...server, auth: { oauth: two } },
				f: { ...server, headers: { A: `\${${one}` } },
			},
			openapi: { g: { document: "x.json", auth: one }, h: { document: "x.json", auth: { a: { username: three } } } },
			cli: { i: { command: NODE, env: one } },
		};
		for (const config of [entries, { ...entries, telemetry: { otlp: three } }, { secrets: two }]) {
			writeFileSync(other.configFile, JSON.stringify(config));
			for (const args of [["list"], ["validate", other.configFile], ["discover", "x"]]) {
				const { output } = await command(other, args);
				assert.match(output, /invalid type/, args.join(" "));
				assert.deepEqual(leaks(wrong, output), [], args.join(" "));
			}
		}
	});
});
