import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { sample } from "./sample.mjs";

/**
 * @typedef {object} Issue
 * @property {number} number
 * @property {string} title
 * @property {string} body
 * @property {"open" | "closed"} state
 * @property {string[]} labels
 * @property {string} createdAt
 * @property {string | null} closedAt
 *
 * @typedef {{id: number, text: string, createdAt: string}} Note
 * @typedef {{issues: Issue[], notes: Note[]}} Data
 */

/** Issues and notes, in memory, or in a JSON file if one is named. */
export class Tracker {
	#file;
	/** @type {Data} */
	#data;

	/** @param {string} [file] */
	constructor(file) {
		this.#file = file;
		this.#data = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : structuredClone(sample);
	}

	/** @param {{state?: "open" | "closed" | "all", label?: string}} filter */
	listIssues({ state = "open", label } = {}) {
		return this.#data.issues
			.filter((issue) => state === "all" || issue.state === state)
			.filter((issue) => label === undefined || issue.labels.includes(label))
			.map(({ number, title, state, labels }) => ({ number, title, state, labels }))
			.reverse();
	}

	/** @param {number} number */
	getIssue(number) {
		const issue = this.#data.issues.find((candidate) => candidate.number === number);
		if (!issue) {
			throw Object.assign(new Error(`There is no issue ${number}`), {
				code: "ISSUE_NOT_FOUND",
				hint: 'Call list_issues with {"state":"all"} to see the numbers there are.',
			});
		}
		return issue;
	}

	/** @param {{title: string, body?: string, labels?: string[]}} draft */
	createIssue({ title, body = "", labels = [] }) {
		/** @type {Issue} */
		const issue = {
			number: next(this.#data.issues.map((issue) => issue.number)),
			title,
			body,
			state: "open",
			labels,
			createdAt: new Date().toISOString(),
			closedAt: null,
		};
		this.#data.issues.push(issue);
		this.#save();
		return issue;
	}

	/** @param {number} number */
	closeIssue(number) {
		const issue = this.getIssue(number);
		if (issue.state === "open") {
			issue.state = "closed";
			issue.closedAt = new Date().toISOString();
			this.#save();
		}
		return issue;
	}

	listNotes() {
		return this.#data.notes;
	}

	/** @param {string} text */
	addNote(text) {
		const note = { id: next(this.#data.notes.map(({ id }) => id)), text, createdAt: new Date().toISOString() };
		this.#data.notes.push(note);
		this.#save();
		return note;
	}

	/** Written beside and moved over, so that the file is whole at any time. */
	#save() {
		if (!this.#file) return;
		const draft = `${this.#file}.${process.pid}.tmp`;
		writeFileSync(draft, `${JSON.stringify(this.#data, null, "\t")}\n`);
		renameSync(draft, this.#file);
	}
}

/** @param {number[]} taken */
function next(taken) {
	return Math.max(0, ...taken) + 1;
}
