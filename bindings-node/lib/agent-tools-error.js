/** What failed (`message`), under which stable `code`, and what to do about it (`hint`). */
export class AgentToolsError extends Error {
	name = "AgentToolsError";

	/**
	 * @param {string} code
	 * @param {string} message
	 * @param {{hint?: string, cause?: unknown}} [more]
	 */
	constructor(code, message, { hint, cause } = {}) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
		this.hint = hint;
	}

	/**
	 * The addon rejects with plain errors that carry `code` and `hint`; callers get one class for all.
	 *
	 * @param {unknown} error
	 * @returns {AgentToolsError}
	 */
	static from(error) {
		if (error instanceof AgentToolsError) return error;
		const { code, hint } = /** @type {{code?: unknown, hint?: unknown}} */ (Object(error));
		return new AgentToolsError(
			typeof code === "string" ? code : "INTERNAL",
			error instanceof Error ? error.message : String(error),
			{ hint: typeof hint === "string" ? hint : undefined, cause: error },
		);
	}
}
