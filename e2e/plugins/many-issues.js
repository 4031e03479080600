import { issue } from "../services/github/repositories.js";

/** @param {number} count of open issues, the newest first */
export function manyIssues(count) {
	return Array.from({ length: count }, (_, index) => issue(count - index));
}
