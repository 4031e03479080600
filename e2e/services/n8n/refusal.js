/** What n8n answers instead. */
export class Refusal extends Error {
	/**
	 * @param {number} status
	 * @param {string} message
	 */
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/**
 * @template T
 * @param {T | undefined} found
 * @param {string} [message]
 * @returns {T}
 */
export function existing(found, message = "Not Found") {
	if (found === undefined) throw new Refusal(404, message);
	return found;
}

/**
 * An answer with another status than 200.
 *
 * @param {number} status
 * @param {unknown} value
 */
export function withStatus(status, value) {
	return Object.assign([value], { status });
}
