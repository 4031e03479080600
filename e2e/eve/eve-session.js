/**
 * One conversation over eve's own HTTP API, which costs no process. Every question to a person is answered with `answer`.
 *
 * @param {string} url
 * @param {string} message
 * @param {"approve" | "cancel"} answer
 * @returns {Promise<{message: string, asked: number}>} what eve said at the end, and how often a person was asked
 */
export async function converse(url, message, answer) {
	const { sessionId } = await post(`${url}/eve/v1/session`, { message });
	const session = `${url}/eve/v1/session/${sessionId}`;
	const leave = new AbortController();
	const stream = await fetch(`${session}/stream`, { signal: leave.signal });
	if (!stream.body) throw new Error(`no events: ${stream.status}`);
	let said = "";
	let asked = 0;
	try {
		for await (const { type, data } of events(stream.body)) {
			if (type === "message.completed") said = data.message ?? said;
			if (type === "session.waiting" || type === "session.completed") return { message: said, asked };
			if (type === "session.failed") throw new Error(JSON.stringify(data));
			if (type !== "input.requested") continue;
			asked += data.requests.length;
			const inputResponses = data.requests.map((/** @type {any} */ { requestId }) => ({ requestId, optionId: answer }));
			await post(session, { inputResponses });
		}
	} finally {
		leave.abort();
	}
	throw new Error(`the events ended after: ${said}`);
}

/** @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<{type: string, data: any}>} */
async function* events(body) {
	let rest = "";
	for await (const text of body.pipeThrough(new TextDecoderStream())) {
		const lines = (rest + text).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) if (line.trim()) yield JSON.parse(line);
	}
}

/** @param {string} url @param {object} body @returns {Promise<any>} */
async function post(url, body) {
	const headers = { "content-type": "application/json" };
	const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.status}: ${text}`);
	return JSON.parse(text);
}
