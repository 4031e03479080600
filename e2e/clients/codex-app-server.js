/** An editor's side of `codex app-server`: JSON-RPC, a message a line. */
export class CodexAppServer {
	#child;
	#id = 0;

	/** @param {import("../processes/spawned.js").Spawned} child */
	constructor(child) {
		this.#child = child;
	}

	/**
	 * Says something in a new thread, answers what servers ask the person, and waits for the end of the turn.
	 *
	 * @param {string} text
	 * @param {string} cwd
	 * @param {object} answer
	 * @returns {Promise<any[]>} what was asked
	 */
	async turn(text, cwd, answer) {
		await this.#request("initialize", { clientInfo: { name: "agent-tools-runtime-e2e", version: "0.0.0" } });
		this.#send({ method: "initialized" });
		const { thread } = await this.#request("thread/start", { cwd });
		await this.#request("turn/start", { threadId: thread.id, input: [{ type: "text", text }] });
		const answered = new Set();
		await this.#child.until("the end of the turn", () => {
			for (const { id } of this.#questions()) {
				if (answered.has(id)) continue;
				answered.add(id);
				this.#send({ id, result: answer });
			}
			return this.#messages().some(({ method }) => method === "turn/completed");
		});
		return this.#questions().map(({ params }) => params);
	}

	/**
	 * @param {string} method
	 * @param {object} params
	 */
	async #request(method, params) {
		const id = ++this.#id;
		this.#send({ id, method, params });
		const answer = await this.#child.until(method, () =>
			this.#messages().find((message) => message.id === id && !("method" in message)),
		);
		if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
		return answer.result;
	}

	#questions() {
		return this.#messages().filter(({ method }) => method === "mcpServer/elicitation/request");
	}

	/** @returns {any[]} */
	#messages() {
		const lines = this.#child.stdout.split("\n");
		lines.pop(); // not complete yet
		return lines.filter(Boolean).map((line) => JSON.parse(line));
	}

	/** @param {object} message */
	#send(message) {
		this.#child.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	}
}
