// The real `gh`, which reaches the service as the host `github.localhost` by way of a proxy: for that host alone it speaks
// plain HTTP.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { GH_PROGRAM, withoutGh } from "../harness/gh-program.js";
import { ROOT } from "../harness/paths.js";
import { repository } from "../services/github/repositories.js";
import { startGitHub, TOKEN } from "../services/github.js";
import { always } from "../services/json-service.js";
import { openBundled } from "./bundled.js";
import { manyIssues } from "./many-issues.js";

const REPO = { owner: "octo", repo: "hello.world" };

/** @param {import("node:test").TestContext} t */
async function gh(t, service = {}, options = {}, environment = {}) {
	const server = await startGitHub(t, service);
	const folder = mkdtempSync(path.join(tmpdir(), "gh-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const own = {
		GH_CLI_BIN: GH_PROGRAM,
		GH_CONFIG_DIR: folder,
		GH_HOST: "github.localhost",
		GH_TOKEN: TOKEN,
		GITHUB_TOKEN: undefined,
		HTTP_PROXY: server.url,
		...environment,
	};
	return { server, ...(await openBundled(t, "gh-cli", own, options)) };
}

describe("gh-cli", { timeout: 60_000, skip: withoutGh() }, () => {
	test("reads a repository, unasked", async (t) => {
		const { callUnasked, server } = await gh(t);
		const { stdout } = await callUnasked("repo_view", REPO);
		assert.deepEqual(stdout, {
			name: "octo/hello.world",
			description: "Says hello",
			url: "https://github.com/octo/hello.world",
			private: false,
			archived: false,
			defaultBranch: "main",
			language: "Rust",
			licence: "MIT License",
			stars: 80,
			forks: 9,
			openIssues: 1,
			openPullRequests: 1,
			latestRelease: "v1.0.0",
			created: "2011-01-26T19:01:12Z",
			pushed: "2026-11-30T10:00:00Z",
		});
		assert.equal(server.received[0].headers.host, "api.github.localhost");
	});

	test("lists issues and pull requests by state", async (t) => {
		const { callUnasked } = await gh(t);
		const numbers = async (tool, key, args = {}) => {
			const { stdout } = await callUnasked(tool, { ...REPO, ...args });
			assert.equal(stdout.count, stdout[key].length);
			return stdout[key].map(({ number }) => number);
		};
		assert.deepEqual(await numbers("issue_list", "issues"), [2]);
		assert.deepEqual(await numbers("issue_list", "issues", { state: "closed" }), [1]);
		assert.deepEqual(await numbers("issue_list", "issues", { state: "all" }), [2, 1]);
		assert.deepEqual(await numbers("pr_list", "pullRequests"), [3]);
		assert.deepEqual(await numbers("pr_list", "pullRequests", { state: "merged" }), []);
		const { stdout } = await callUnasked("pr_list", REPO);
		assert.deepEqual(stdout.pullRequests[0], {
			number: 3,
			title: "Greet in Spanish",
			state: "OPEN",
			author: "mona",
			draft: true,
			from: "feature/es",
			into: "main",
			labels: [],
			url: "https://github.com/octo/hello.world/pull/3",
			created: "2026-11-01T08:00:00Z",
			updated: "2026-11-01T08:00:00Z",
		});
	});

	test("lists as many as asked for, over pages, up to 200", async (t) => {
		const { callUnasked, server } = await gh(t, { repositories: [repository({ issues: manyIssues(150) })] });
		const count = async (args) => (await callUnasked("issue_list", { ...REPO, ...args })).stdout.count;
		assert.equal(await count({}), 30);
		assert.equal(await count({ limit: 120 }), 120);
		assert.equal(await count({ limit: 200 }), 150);
		const asked = server.received.length;
		for (const limit of [0, 201, 1.5, -1]) {
			assert.equal((await callUnasked("issue_list", { ...REPO, limit })).code, "ARG_VALIDATION_FAILED", `${limit}`);
		}
		assert.equal(server.received.length, asked);
	});

	test("creates an issue, with consent, whatever its text", async (t) => {
		const { call, callUnasked, server } = await gh(t);
		const draft = { ...REPO, title: "--web $(id) `id`", body: "-F x\n\n*More* «é»." };
		assert.equal((await callUnasked("issue_create", draft)).code, "CONFIRM_REQUIRED");
		assert.deepEqual(server.received, []);
		const { stdout } = await call("issue_create", draft);
		assert.equal(stdout.trim(), "https://github.com/octo/hello.world/issues/4");
		const [{ title, body }] = server.repositories[0].issues;
		assert.deepEqual({ title, body }, { title: draft.title, body: draft.body });
		await call("issue_create", { ...REPO, title: "Short" });
		assert.deepEqual(server.repositories[0].issues[0].body, "");
	});

	test("nothing but names is taken for a repository", async (t) => {
		const { call, server } = await gh(t);
		for (const [owner, repo] of [
			["--help", "x"],
			["-w", "x"],
			["octo", "hello/world"],
			["elsewhere.example/octo", "hello"],
			["https://elsewhere/octo", "hello"],
			["octo", "hello.world\n"],
			["octo", ""],
			["", "hello"],
		]) {
			for (const [tool, args] of [
				["repo_view", {}],
				["issue_list", {}],
				["pr_list", {}],
				["issue_create", { title: "x" }],
			]) {
				const { code } = await call(tool, { owner, repo, ...args });
				assert.equal(code, "ARG_VALIDATION_FAILED", `${tool} ${owner}/${repo}`);
			}
		}
		assert.deepEqual(server.received, []);
	});

	test("the overview is made of three calls", async (t) => {
		const { skillUnasked } = await gh(t);
		const { repository, openIssues, openPullRequests } = await skillUnasked("repo-overview", REPO);
		assert.equal(repository.defaultBranch, "main");
		assert.deepEqual(
			[openIssues, openPullRequests].map((list) => list.map(({ number }) => number)),
			[[2], [3]],
		);
	});

	test("GITHUB_TOKEN does instead of GH_TOKEN, and nothing else of the environment is passed on", async (t) => {
		const { callUnasked } = await gh(t, {}, {}, { GH_TOKEN: undefined, GITHUB_TOKEN: TOKEN, GH_REPO: "x/y" });
		assert.equal((await callUnasked("repo_view", REPO)).stdout.stars, 80);
	});

	for (const [name, service, code, said] of /** @type {const} */ ([
		["an unknown repository", {}, 1, /Could not resolve to a Repository with the name 'octo\/none'/],
		["401", { behaviour: always(401, { message: "Bad credentials" }) }, 1, /401: Bad credentials/],
		["403", { behaviour: always(403, { message: "Resource not accessible" }) }, 1, /403: Resource not accessible/],
		["429", { behaviour: always(429, { message: "slow down" }, { "retry-after": "7" }) }, 1, /429: slow down/],
		["500", { behaviour: always(500, { message: "oops" }) }, 1, /500: oops/],
		["no JSON", { behaviour: always(200, "<html>") }, 1, /invalid character '<'/],
	])) {
		test(`${name} is told as gh says it`, async (t) => {
			const { call } = await gh(t, service);
			const failure = await call("repo_view", { owner: "octo", repo: "none" });
			assert.equal(failure.code, "TOOL_FAILED", JSON.stringify(failure));
			assert.match(JSON.stringify(failure), said);
			assert.match(JSON.stringify(failure), new RegExp(`"exitCode":${code}`));
		});
	}

	test("without a login it says how to log in, and sends nothing", async (t) => {
		const { call, server } = await gh(t, {}, {}, { GH_TOKEN: undefined, GH_HOST: undefined });
		const failure = await call("repo_view", REPO);
		assert.equal(failure.code, "TOOL_FAILED");
		assert.match(JSON.stringify(failure), /not logged in: `gh auth login`, or GH_TOKEN/);
		assert.deepEqual(server.received, []);
	});

	test("silence ends with the deadline", async (t) => {
		const { call } = await gh(t, { behaviour: () => true }, { deadlines: { callMs: 500 } });
		assert.equal((await call("repo_view", REPO)).code, "TIMEOUT");
		assert.equal((await call("issue_create", { ...REPO, title: "x" })).code, "OUTCOME_UNKNOWN");
	});

	test("without gh it says where to get it", async (t) => {
		const { call } = await gh(t, {}, {}, { GH_CLI_BIN: "/nowhere/gh" });
		const failure = await call("repo_view", REPO);
		assert.match(JSON.stringify(failure), /\/nowhere\/gh/);
	});

	test("it and the plugin github name each other's overview", async (t) => {
		await gh(t);
		const runtime = await Runtime.open({
			packageRoot: null,
			pluginDirs: ["github", "gh-cli"].map((name) => path.join(ROOT, "plugins", `agent-tools-plugin-${name}`)),
			config: false,
			cache: false,
		});
		t.after(() => runtime.close());
		for (const [prefix, other] of [
			["github", "ghcli"],
			["ghcli", "github"],
		]) {
			const text = (await runtime.discover(prefix, "repo-overview")).content[0].text;
			assert.match(text, new RegExp(`or agent_tools_${other}_run_skill \\{"skill":"repo-overview"`));
		}
		assert.deepEqual(
			(await runtime.status()).warnings.filter((warning) => warning.includes("related")),
			[],
		);
	});

	test("is found by what people ask for", async (t) => {
		const { discover } = await gh(t);
		assert.match(await discover("open pull requests"), /pr_list/);
		assert.match(await discover("report a bug on github"), /issue_create/);
	});
});
