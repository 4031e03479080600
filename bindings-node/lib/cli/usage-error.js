import { calledAs } from "./called-as.js";

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
	/**
	 * @param {string} message
	 * @param {string} [hint]
	 */
	constructor(message, hint = `Run \`${calledAs()} help\` to see every command and option.`) {
		super(message);
		this.hint = hint;
	}
}

/** @param {unknown} error what a command ended with */
export function exitCodeOf(error) {
	return error instanceof UsageError ? 2 : 1;
}
