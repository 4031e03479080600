// A server that speaks what is used here of GitHub's REST API (version 2022-11-28) and of its GraphQL API, strict about
// methods, paths, headers, queries and bodies. Asked as the host `github.localhost` through HTTP_PROXY, it serves `gh`.

import { graphql } from "./github/graphql.js";
import { issue, repository } from "./github/repositories.js";
import { Refusal, startJsonService } from "./json-service.js";

/** @typedef {import("./github/repositories.js").Repository} Repository */
/** @typedef {import("./json-service.js").Received} Received */

export const TOKEN = "ghp_canary0000000000000000000000000000";

/**
 * @param {import("node:test").TestContext} t
 * @param {{repositories?: Repository[], behaviour?: import("./json-service.js").Behaviour}} [options]
 */
export async function startGitHub(t, { repositories = [repository()], behaviour } = {}) {
	const service = await startJsonService(
		t,
		(asked) => (asked.path === "/graphql" ? graphql(repositories, asked, TOKEN) : rest(repositories, asked)),
		behaviour,
	);
	return { ...service, repositories };
}

/** @typedef {{repositories: Repository[], parts: string[], asked: Received, isKnown: boolean}} Request */

/** @type {Record<string, {query?: string[], run: (request: Request) => import("./json-service.js").Answer}>} by path, where `*` is a name */
const ROUTES = {
	"GET /search/repositories": { query: ["q", "per_page", "page"], run: search },
	"GET /repos/*/*": { run: (request) => ({ body: repositoryJson(found(request)) }) },
	"GET /repos/*/*/issues": { query: ["state", "per_page", "page"], run: listIssues },
	"POST /repos/*/*/issues": { run: createIssue },
	"GET /repos/*/*/issues/*": { run: getIssue },
	"GET /repos/*/*/commits": { query: ["sha", "per_page", "page"], run: listCommits },
};

/**
 * @param {Repository[]} repositories
 * @param {Received} asked
 */
function rest(repositories, asked) {
	const { method, path, query, headers, body } = asked;
	if (!headers["user-agent"]) throw refusal(403, "Request forbidden by administrative rules.");
	if (headers["x-github-api-version"] !== "2022-11-28") throw refusal(400, "no such API version");
	if (headers.accept !== "application/vnd.github+json") throw refusal(415, `unexpected Accept ${headers.accept}`);
	const { authorization } = headers;
	if (authorization !== undefined && authorization !== `Bearer ${TOKEN}`) throw refusal(401, "Bad credentials");
	const given = path.split("/");
	const [pattern, route] =
		Object.entries(ROUTES).find(([pattern]) => {
			const wanted = pattern.split(" ")[1].split("/");
			const fits = wanted.every((part, index) => part === "*" || part === given[index]);
			return fits && wanted.length === given.length && pattern.startsWith(`${method} `);
		}) ?? [];
	if (!route) throw refusal(404, "Not Found");
	for (const name of Object.keys(query)) if (!route.query?.includes(name)) throw refusal(400, `unexpected ?${name}`);
	if ((method === "POST") !== (body !== undefined)) throw refusal(400, "Problems parsing JSON");
	if (body && headers["content-type"] !== "application/json") throw refusal(415, "unexpected Content-Type");
	const stars = pattern.split(" ")[1].split("/");
	const parts = given.filter((_, index) => stars[index] === "*").map(decodeURIComponent);
	return route.run({ repositories, parts, asked, isKnown: authorization !== undefined });
}

/**
 * @param {number} status
 * @param {string} message
 * @param {object} [more]
 */
function refusal(status, message, more = {}) {
	const documentation_url = "https://docs.github.com/rest";
	return new Refusal(status, { message, ...more, documentation_url, status: String(status) });
}

/** @param {Request} request */
function found({ repositories, parts: [owner, name], isKnown }) {
	const repository = repositories.find((repository) => repository.owner === owner && repository.name === name);
	// What one may not see is not there.
	if (!repository || (repository.isPrivate && !isKnown)) throw refusal(404, "Not Found");
	return repository;
}

/** @param {Request} request */
function search({ repositories, asked: { query, ...asked }, isKnown }) {
	if (!query.q)
		throw refusal(422, "Validation Failed", { errors: [{ resource: "Search", field: "q", code: "missing" }] });
	const items = repositories
		.filter(({ isPrivate }) => isKnown || !isPrivate)
		.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(query.q.toLowerCase()));
	const { page, headers } = pageOf(items, { ...asked, query });
	return { headers, body: { total_count: items.length, incomplete_results: false, items: page.map(repositoryJson) } };
}

/** @param {Request} request */
function listIssues(request) {
	const { issues, ...repository } = found(request);
	const { state = "open" } = request.asked.query;
	if (!["open", "closed", "all"].includes(state)) throw refusal(422, "Validation Failed");
	const { page, headers } = pageOf(
		issues.filter((issue) => state === "all" || issue.state === state),
		request.asked,
	);
	return { headers, body: page.map((issue) => issueJson(repository, issue)) };
}

/** @param {Request} request */
function getIssue(request) {
	const { issues, ...repository } = found(request);
	const issue = issues.find(({ number }) => String(number) === request.parts[2]);
	if (!issue) throw refusal(404, "Not Found");
	return { body: issueJson(repository, issue) };
}

/** @param {Request} request */
function createIssue(request) {
	if (!request.isKnown) throw refusal(401, "Requires authentication");
	const { issues, hasIssues, ...repository } = found(request);
	if (!hasIssues) throw refusal(410, "Issues has been disabled in this repository.");
	const { title, body, ...unknown } = request.asked.body;
	if (typeof title !== "string" || Object.keys(unknown).length > 0 || !["string", "undefined"].includes(typeof body)) {
		throw refusal(422, "Invalid request.");
	}
	const created = issue(Math.max(0, ...issues.map(({ number }) => number)) + 1, { title, body });
	issues.unshift(created);
	return { status: 201, body: issueJson(repository, created) };
}

/** @param {Request} request */
function listCommits(request) {
	const repository = found(request);
	if (Object.keys(repository.commits).length === 0) throw refusal(409, "Git Repository is empty.");
	const commits = repository.commits[request.asked.query.sha ?? repository.branch];
	if (!commits) throw refusal(404, "Not Found");
	const { page, headers } = pageOf(commits, request.asked);
	return { headers, body: page.map((commit) => commitJson(repository, commit)) };
}

/**
 * @template T
 * @param {T[]} items
 * @param {Pick<Received, "path" | "query" | "headers">} asked
 */
function pageOf(items, { path, query, headers }) {
	const size = Math.min(100, Number(query.per_page ?? 30));
	const page = Number(query.page ?? 1);
	const more = page * size < items.length;
	const next = new URL(`http://${headers.host}${path}?${new URLSearchParams({ ...query, page: String(page + 1) })}`);
	return {
		page: items.slice((page - 1) * size, page * size),
		headers: /** @type {Record<string, string>} */ (more ? { link: `<${next}>; rel="next"` } : {}),
	};
}

/** @param {Repository} repository */
function repositoryJson({ owner, name, isPrivate, description, branch, issues }) {
	return {
		id: 1296269,
		node_id: "MDEwOlJlcG9zaXRvcnkxMjk2MjY5",
		name,
		full_name: `${owner}/${name}`,
		owner: { login: owner, id: 1, type: "Organization" },
		private: isPrivate,
		html_url: `https://github.com/${owner}/${name}`,
		description,
		fork: false,
		language: "Rust",
		stargazers_count: 80,
		forks_count: 9,
		open_issues_count: issues.filter(({ state }) => state === "open").length,
		topics: ["greetings"],
		license: { key: "mit", name: "MIT License", spdx_id: "MIT" },
		visibility: isPrivate ? "private" : "public",
		archived: false,
		default_branch: branch,
		created_at: "2011-01-26T19:01:12Z",
		updated_at: "2026-11-30T10:00:00Z",
		pushed_at: "2026-11-30T10:00:00Z",
	};
}

/**
 * @param {Pick<Repository, "owner" | "name">} repository
 * @param {import("./github/repositories.js").Issue} issue
 */
function issueJson({ owner, name }, { number, title, body = null, state, author, labels, createdAt, pull }) {
	const path = `https://github.com/${owner}/${name}`;
	return {
		id: number,
		number,
		title,
		body,
		state,
		state_reason: state === "closed" ? "completed" : null,
		user: { login: author, id: 2, type: "User" },
		labels: labels.map((label, id) => ({ id, name: label, color: "f29513", description: null })),
		comments: 0,
		html_url: `${path}/${pull ? "pull" : "issues"}/${number}`,
		created_at: createdAt,
		updated_at: createdAt,
		closed_at: state === "closed" ? createdAt : null,
		...(pull && { draft: pull.draft, pull_request: { html_url: `${path}/pull/${number}`, merged_at: null } }),
	};
}

/**
 * @param {Pick<Repository, "owner" | "name">} repository
 * @param {{sha: string, message: string, date: string}} commit
 */
function commitJson({ owner, name }, { sha, message, date }) {
	const by = { name: "Mona Lisa", email: "mona@example.com", date };
	return {
		sha,
		node_id: "MDY6Q29tbWl0",
		html_url: `https://github.com/${owner}/${name}/commit/${sha}`,
		commit: { message, author: by, committer: by, tree: { sha }, comment_count: 0 },
		author: { login: "mona", id: 2 },
		committer: { login: "mona", id: 2 },
		parents: [],
	};
}
