/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
	/**
	 * @param {string} message
	 * @param {string} [hint]
	 */
	constructor(message, hint = "Run `agent-tools help` to see every command and option.") {
		super(message);
		this.hint = hint;
	}
}
