/**
 * Begins a stream of events, and gives what sends one.
 *
 * @param {import("node:http").ServerResponse} response
 */
export function startEvents(response) {
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	return (/** @type {object} */ data, name = "") =>
		response.write(`${name && `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
}
