import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { repository } from "../services/github/repositories.js";
import { startGitHub, TOKEN } from "../services/github.js";
import { always } from "../services/json-service.js";
import { openBundled } from "./bundled.js";
import { manyIssues } from "./many-issues.js";
import { testRefusals } from "./refusals.js";

const HELLO = { owner: "octo", repo: "hello.world" };

/** @param {import("node:test").TestContext} t */
async function github(t, service = {}, options = {}, environment = {}) {
	const server = await startGitHub(t, service);
	const own = { GITHUB_API_URL: server.url, GITHUB_TOKEN: TOKEN, GH_TOKEN: undefined, ...environment };
	return { server, ...(await openBundled(t, "github", own, options)) };
}

describe("github", { timeout: 60_000 }, () => {
	test("searches and reads repositories, unasked", async (t) => {
		const repositories = [repository(), repository({ name: "hello-two", isPrivate: true })];
		const { callUnasked, server } = await github(t, { repositories });
		const found = await callUnasked("search_repositories", { query: "HELLO", limit: 1 });
		assert.deepEqual([found.total, found.incomplete], [2, false]);
		assert.deepEqual(
			found.repositories.map(({ full_name, private: isPrivate }) => [full_name, isPrivate]),
			[["octo/hello.world", false]],
		);
		assert.deepEqual(server.received[0].query, { q: "HELLO", per_page: "1" });
		assert.deepEqual(await callUnasked("get_repository", HELLO), {
			full_name: "octo/hello.world",
			description: "Says hello",
			default_branch: "main",
			language: "Rust",
			topics: ["greetings"],
			"license.spdx_id": "MIT",
			visibility: "public",
			archived: false,
			fork: false,
			stargazers_count: 80,
			forks_count: 9,
			open_issues_count: 2,
			created_at: "2011-01-26T19:01:12Z",
			pushed_at: "2026-11-30T10:00:00Z",
			html_url: "https://github.com/octo/hello.world",
		});
	});

	test("lists and reads issues, and marks pull requests", async (t) => {
		const { callUnasked } = await github(t);
		const { issues } = await callUnasked("list_issues", HELLO);
		assert.deepEqual(issues[1], {
			number: 2,
			title: "Hello is misspelt",
			state: "open",
			"user.login": "mona",
			"labels.name": ["bug"],
			comments: 0,
			created_at: "2026-11-01T08:00:00Z",
			updated_at: "2026-11-01T08:00:00Z",
			html_url: "https://github.com/octo/hello.world/issues/2",
		});
		assert.equal(issues[0]["pull_request.html_url"], "https://github.com/octo/hello.world/pull/3");
		const closed = await callUnasked("list_issues", { ...HELLO, state: "closed" });
		assert.deepEqual(
			closed.issues.map(({ number }) => number),
			[1],
		);
		assert.equal((await callUnasked("get_issue", { ...HELLO, number: 2 })).body, "It says helo.");
	});

	test("says how the list goes on, and that an empty one is", async (t) => {
		const repositories = [repository({ issues: manyIssues(5) }), repository({ name: "none", issues: [] })];
		const { runtime, callUnasked } = await github(t, { repositories });
		const list = (args) =>
			runtime.callTool("agent_tools_github_call", {
				toolName: "list_issues",
				arguments: { ...HELLO, limit: 2, ...args },
			});
		assert.match((await list({})).content[0].text, /there is more: .*\{\\"page\\":2\}/);
		assert.match((await list({ page: 2 })).content[0].text, /there is more: .*\{\\"page\\":3\}/);
		assert.doesNotMatch((await list({ page: 3 })).content[0].text, /there is more/);
		assert.deepEqual(await callUnasked("list_issues", { ...HELLO, repo: "none" }), { issues: [] });
	});

	test("reads the latest commit of the default branch and of another", async (t) => {
		const { callUnasked, server } = await github(t);
		const latest = await callUnasked("get_latest_commit", HELLO);
		assert.deepEqual([latest["commit.message"], latest["author.login"]], ["Say hello\n\nTo everybody.", "mona"]);
		const other = await callUnasked("get_latest_commit", { ...HELLO, branch: "feature/bye" });
		assert.equal(other["commit.message"], "Say goodbye");
		assert.deepEqual(server.received[1].query, { per_page: "1", sha: "feature/bye" });
		assert.match(JSON.stringify(await callUnasked("get_latest_commit", { ...HELLO, branch: "none" })), /404/);
	});

	test("creates an issue, with consent", async (t) => {
		const { call, callUnasked, server } = await github(t);
		const draft = { ...HELLO, title: "Say more", body: "Much *more*." };
		assert.equal((await callUnasked("create_issue", draft)).code, "CONFIRM_REQUIRED");
		assert.deepEqual(server.received, []);
		assert.deepEqual(await call("create_issue", draft), {
			number: 4,
			title: "Say more",
			body: "Much *more*.",
			state: "open",
			html_url: "https://github.com/octo/hello.world/issues/4",
		});
		assert.equal((await call("create_issue", HELLO)).code, "ARG_VALIDATION_FAILED");
	});

	test("the skill creates an issue and reads it back", async (t) => {
		const { skill, skillUnasked, server } = await github(t, {
			behaviour: ({ path }) => {
				if (path.endsWith("/issues/5")) server.repositories[0].issues[0].title = "changed by a rule";
			},
		});
		const draft = { ...HELLO, title: "Say more" };
		assert.equal((await skillUnasked("create-and-verify-issue", draft)).code, "CONFIRM_REQUIRED");
		const { confirmed, issue } = await skill("create-and-verify-issue", draft);
		assert.deepEqual([confirmed, issue.number, issue.title], [true, 4, "Say more"]);
		assert.equal((await skill("create-and-verify-issue", draft)).confirmed, false);
	});

	test("the overview keeps issues and pull requests apart", async (t) => {
		const { skillUnasked } = await github(t);
		const overview = await skillUnasked("repo-overview", HELLO);
		assert.equal(overview.repository.full_name, "octo/hello.world");
		assert.equal(overview.latestCommit["commit.author.name"], "Mona Lisa");
		const updated = "2026-11-01T08:00:00Z";
		assert.deepEqual(overview.openIssues, [{ number: 2, title: "Hello is misspelt", labels: ["bug"], updated }]);
		assert.deepEqual(overview.openPullRequests, [{ number: 3, title: "Greet in Spanish", updated }]);
		assert.equal(overview.more, undefined);
	});

	test("the overview says what it left out, and copes with a repository without commits", async (t) => {
		const repositories = [repository({ issues: manyIssues(120), commits: {} })];
		const { skillUnasked } = await github(t, { repositories });
		const overview = await skillUnasked("repo-overview", HELLO);
		assert.equal(overview.openIssues.length, 100);
		assert.match(overview.more, /100 newest of 120 .*list_issues with page 2/);
		assert.match(JSON.stringify(overview.latestCommit), /Git Repository is empty/);
	});

	test("reads what is public without a token, and then sends none", async (t) => {
		const repositories = [repository(), repository({ name: "secret", isPrivate: true })];
		const { call, server } = await github(t, { repositories }, {}, { GITHUB_TOKEN: undefined });
		assert.equal((await call("get_repository", HELLO)).full_name, "octo/hello.world");
		assert.equal(server.received[0].headers.authorization, undefined);
		assert.match(JSON.stringify(await call("get_repository", { ...HELLO, repo: "secret" })), /404/);
		const refused = await call("create_issue", { ...HELLO, title: "x" });
		assert.equal(refused.code, "UPSTREAM_AUTH");
		assert.match(refused.hint, /GITHUB_TOKEN/);
	});

	test("GH_TOKEN does instead", async (t) => {
		const { call } = await github(t, {}, {}, { GITHUB_TOKEN: undefined, GH_TOKEN: TOKEN });
		assert.equal((await call("create_issue", { ...HELLO, title: "x" })).number, 4);
	});

	test("a wrong token is told, and never shown", async (t) => {
		const { call } = await github(t, {}, {}, { GITHUB_TOKEN: "ghp_wrong000000000000" });
		const failure = await call("get_repository", HELLO);
		assert.equal(failure.code, "UPSTREAM_AUTH");
		assert.match(JSON.stringify(failure), /Bad credentials/);
		assert.doesNotMatch(JSON.stringify(failure), /ghp_wrong/);
	});

	test("a quota that is used up says when it is renewed", async (t) => {
		const reset = String(Math.ceil(Date.now() / 1000) + 3000);
		const behaviour = always(
			403,
			{ message: "API rate limit exceeded for 192.0.2.1." },
			{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
		);
		const { call } = await github(t, { behaviour }, {}, { GITHUB_TOKEN: undefined });
		const failure = await call("get_repository", HELLO);
		assert.equal(failure.code, "TOOL_FAILED");
		assert.match(JSON.stringify(failure), /Wait (29|30)\d\d s.*rate limit exceeded/);
	});

	test("no name leaves its place in the path", async (t) => {
		const { call, server } = await github(t);
		for (const [owner, repo] of [
			["octo", "../../user/repos?"],
			["octo", ".."],
			["octo/x", "hello.world"],
			["", "hello.world"],
			["https://elsewhere", "x"],
		]) {
			for (const tool of ["list_issues", "get_repository"]) {
				assert.equal((await call(tool, { owner, repo })).code, "ARG_VALIDATION_FAILED", `${owner} ${repo}`);
			}
		}
		assert.deepEqual(server.received, []);
	});

	testRefusals({
		open: github,
		reads: ["get_repository", HELLO],
		changes: ["create_issue", { ...HELLO, title: "x" }],
		variable: /GITHUB_TOKEN/,
	});

	test("is found by what people ask for", async (t) => {
		const { discover } = await github(t);
		assert.match(await discover("open issues of a repository"), /list_issues/);
		assert.match(await discover("who committed last"), /get_latest_commit/);
		assert.match(await discover("summary of a github project"), /repo-overview/);
	});
});
