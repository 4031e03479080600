import { Refusal } from "../json-service.js";
import { issue } from "./repositories.js";

/** @typedef {import("./repositories.js").Repository} Repository */

/**
 * The operations that `gh` sends, each by its name and with its variables. Answers hold more than was asked for.
 *
 * @param {Repository[]} repositories
 * @param {import("../json-service.js").Received} asked
 * @param {string} token
 * @returns {import("../json-service.js").Answer}
 */
export function graphql(repositories, { method, headers, body }, token) {
	if (method !== "POST") throw new Refusal(404, { message: "Not Found" });
	if (!headers["content-type"]?.startsWith("application/json")) throw new Refusal(415, { message: "not JSON" });
	if (headers.authorization !== `token ${token}`) {
		throw new Refusal(401, { message: "Bad credentials", documentation_url: "https://docs.github.com/graphql" });
	}
	const { query, variables } = body;
	const [, name] = /(?:query|mutation) (\w+)/.exec(query) ?? [];
	switch (name) {
		case "RepositoryInfo":
		case "IssueRepositoryInfo":
			return of(repositories, variables.owner, variables.name, repositoryJson);
		case "IssueList":
			return of(repositories, variables.owner, variables.repo, (repository) => ({
				hasIssuesEnabled: repository.hasIssues,
				issues: connection(repository, false, variables, variables.states),
			}));
		case "PullRequestList":
			return of(repositories, variables.owner, variables.repo, (repository) => ({
				pullRequests: connection(repository, true, variables, variables.state),
			}));
		case "IssueCreate":
			return create(repositories, variables.input);
		default:
			throw new Refusal(400, { message: `unexpected query ${query}` });
	}
}

/**
 * @param {Repository[]} repositories
 * @param {string} owner
 * @param {string} name
 * @param {(repository: Repository) => unknown} json
 */
function of(repositories, owner, name, json) {
	const repository = repositories.find((repository) => repository.owner === owner && repository.name === name);
	if (repository) return { body: { data: { repository: json(repository) } } };
	const message = `Could not resolve to a Repository with the name '${owner}/${name}'.`;
	return {
		body: { data: { repository: null }, errors: [{ type: "NOT_FOUND", path: ["repository"], message }] },
	};
}

/** @param {Repository} repository */
function idOf({ owner, name }) {
	return Buffer.from(`${owner}/${name}`).toString("base64");
}

/** @param {Repository} repository */
function repositoryJson(repository) {
	const { owner, name, description, branch, isPrivate, hasIssues, issues } = repository;
	const count = (isPull) => issues.filter(({ state, pull }) => state === "open" && Boolean(pull) === isPull).length;
	return {
		id: idOf(repository),
		name,
		nameWithOwner: `${owner}/${name}`,
		owner: { id: "O", login: owner },
		description,
		url: `https://github.com/${owner}/${name}`,
		isPrivate,
		isArchived: false,
		hasIssuesEnabled: hasIssues,
		defaultBranchRef: { name: branch },
		primaryLanguage: { name: "Rust" },
		licenseInfo: { key: "mit", name: "MIT License", nickname: "" },
		stargazerCount: 80,
		forkCount: 9,
		issues: { totalCount: count(false) },
		pullRequests: { totalCount: count(true) },
		latestRelease: { name: "One", tagName: "v1.0.0", url: "", publishedAt: "2026-10-01T00:00:00Z" },
		createdAt: "2011-01-26T19:01:12Z",
		pushedAt: "2026-11-30T10:00:00Z",
		viewerPermission: "WRITE",
	};
}

/**
 * @param {Repository} repository
 * @param {boolean} ofPulls
 * @param {{limit: number, endCursor?: string}} variables
 * @param {string[]} states
 */
function connection({ owner, name, issues }, ofPulls, { limit, endCursor }, states) {
	const chosen = issues.filter(({ state, pull }) => Boolean(pull) === ofPulls && states.includes(state.toUpperCase()));
	const start = Number(endCursor ?? 0);
	const nodes = chosen.slice(start, start + limit).map(({ number, title, state, author, labels, createdAt, pull }) => ({
		number,
		title,
		state: state.toUpperCase(),
		author: { id: "U", login: author, name: "" },
		labels: { nodes: labels.map((label) => ({ id: label, name: label })), totalCount: labels.length },
		url: `https://github.com/${owner}/${name}/${pull ? "pull" : "issues"}/${number}`,
		createdAt,
		updatedAt: createdAt,
		...(pull && { isDraft: pull.draft, headRefName: pull.head, baseRefName: "main" }),
	}));
	const end = start + nodes.length;
	return { totalCount: chosen.length, nodes, pageInfo: { hasNextPage: end < chosen.length, endCursor: String(end) } };
}

/**
 * @param {Repository[]} repositories
 * @param {{repositoryId: string, title: string, body: string}} input
 */
function create(repositories, { repositoryId, title, body, ...unknown }) {
	const repository = repositories.find((repository) => idOf(repository) === repositoryId);
	if (!repository || typeof title !== "string" || Object.keys(unknown).length > 0) {
		throw new Refusal(400, { message: "unexpected input" });
	}
	const number = Math.max(0, ...repository.issues.map(({ number }) => number)) + 1;
	repository.issues.unshift(issue(number, { title, body }));
	const url = `https://github.com/${repository.owner}/${repository.name}/issues/${number}`;
	return { body: { data: { createIssue: { issue: { id: "I", url } } } } };
}
