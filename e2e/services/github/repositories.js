/**
 * @typedef {object} Issue of a repository; with `pull` a pull request, as which REST and GraphQL show it differently
 * @property {number} number
 * @property {string} title
 * @property {string} [body]
 * @property {"open" | "closed"} state
 * @property {string} author
 * @property {string[]} labels
 * @property {string} createdAt
 * @property {{head: string, draft: boolean}} [pull]
 *
 * @typedef {object} Repository
 * @property {string} owner
 * @property {string} name
 * @property {boolean} isPrivate
 * @property {boolean} hasIssues
 * @property {string | null} description
 * @property {string} branch
 * @property {Record<string, {sha: string, message: string, date: string}[]>} commits by branch, the newest first
 * @property {Issue[]} issues the newest first
 */

/** @param {number} count */
const shaOf = (count) => count.toString(16).padStart(40, "0");

/**
 * @param {Partial<Repository>} [given]
 * @returns {Repository}
 */
export function repository(given = {}) {
	return {
		owner: "octo",
		name: "hello.world",
		isPrivate: false,
		hasIssues: true,
		description: "Says hello",
		branch: "main",
		commits: {
			main: [{ sha: shaOf(2), message: "Say hello\n\nTo everybody.", date: "2026-11-30T10:00:00Z" }],
			"feature/bye": [{ sha: shaOf(3), message: "Say goodbye", date: "2026-12-01T10:00:00Z" }],
		},
		issues: [
			issue(3, { title: "Greet in Spanish", pull: { head: "feature/es", draft: true } }),
			issue(2, { title: "Hello is misspelt", labels: ["bug"], body: "It says helo." }),
			issue(1, { title: "Say hello", state: "closed" }),
		],
		...given,
	};
}

/**
 * @param {number} number
 * @param {Partial<Issue>} [given]
 * @returns {Issue}
 */
export function issue(number, given = {}) {
	return {
		number,
		title: `Issue ${number}`,
		state: "open",
		author: "mona",
		labels: [],
		createdAt: "2026-11-01T08:00:00Z",
		...given,
	};
}
