/**
 * @typedef {import("../../runtime.js").Runtime} Runtime
 * @typedef {import("../../../index.d.ts").ToolReply} ToolReply
 */

/** Where a long text was cut for a model's sake, and how it is read on. */
const CUT = /\n\[… .* left out; read on: read_more (\{"id":"\w+","page":1\}) …\]\n/;

/**
 * The reply with the whole of its long texts: what is too much for a model is not for a person or a file.
 *
 * @param {Runtime} runtime
 * @param {string} plugin
 * @param {ToolReply} reply
 * @returns {Promise<ToolReply>}
 */
export async function wholeReply(runtime, plugin, reply) {
	const content = [];
	for (const part of reply.content) {
		const [, next] = (part.type === "text" && CUT.exec(String(part.text))) || [];
		const whole = next === undefined ? undefined : await readOn(runtime, plugin, JSON.parse(next));
		content.push(part.type === "text" && whole !== undefined ? { ...part, type: part.type, text: whole } : part);
	}
	return { ...reply, content };
}

/**
 * Nothing where a tool has only written what looks like a cut.
 *
 * @param {Runtime} runtime
 * @param {string} plugin
 * @param {{id: string, page: number}} first
 */
async function readOn(runtime, plugin, { id, page: first }) {
	let text = "";
	for (let page = first; ; page++) {
		const reply = await runtime.callTool("read_more", { id, page }, { view: { kind: "flat", plugin } });
		const [part] = reply.content;
		if (reply.isError || part?.type !== "text") return undefined;
		const { text: piece, pages } = JSON.parse(String(part.text));
		text += piece;
		if (page >= pages) return text;
	}
}
