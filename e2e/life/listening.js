import http from "node:http";
import { headers, request } from "../harness/protocol.js";

/**
 * `subscriptions/listen` over HTTP: one request whose answer is a stream (MCP 2026-07-28, Subscriptions).
 *
 * @param {import("node:test").TestContext} t
 * @param {{port: number, path?: string}} where
 */
export async function listenOverHttp(t, { port, path = "/mcp" }) {
	/** @type {any[]} */
	const messages = [];
	let ended = false;
	const params = { notifications: { toolsListChanged: true } };
	const body = JSON.stringify(request("modern", "listening", "subscriptions/listen", params));
	const sent = http.request({
		host: "127.0.0.1",
		port,
		path,
		method: "POST",
		agent: false,
		headers: headers("modern", "subscriptions/listen"),
	});
	sent.on("error", () => {});
	sent.end(body);
	t.after(() => sent.destroy());
	const response = await new Promise((resolve) => sent.once("response", resolve));
	let text = "";
	response.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => {
		text += chunk;
		const events = text.split("\n\n");
		text = events.pop() ?? "";
		for (const event of events) {
			const data = event.split("\n").filter((line) => line.startsWith("data:"));
			const json = data
				.map((line) => line.slice("data:".length))
				.join("")
				.trim();
			if (json) messages.push(JSON.parse(json));
		}
	});
	response.on("end", () => {
		ended = true;
	});
	return {
		status: response.statusCode,
		messages,
		ended: () => ended,
		changes: () => messages.filter(({ method }) => method === "notifications/tools/list_changed"),
	};
}
