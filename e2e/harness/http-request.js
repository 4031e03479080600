import http from "node:http";

/**
 * One request, with exactly the headers given besides those of HTTP itself: `fetch` would add `Accept` and refuse `Host`.
 *
 * @param {{port: number, method?: string, path?: string, headers?: Record<string, string>, body?: unknown}} request
 * @returns {Promise<{status: number, headers: http.IncomingHttpHeaders, text: string, json: () => any}>}
 */
export function send({ port, method = "POST", path = "/mcp", headers = {}, body }) {
	const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
	return new Promise((resolve, reject) => {
		const request = http.request({ host: "127.0.0.1", port, method, path, agent: false, headers }, (response) => {
			let received = "";
			response.setEncoding("utf8");
			response.on("data", (chunk) => {
				received += chunk;
			});
			response.on("end", () =>
				resolve({
					status: response.statusCode ?? 0,
					headers: response.headers,
					text: received,
					json: () => JSON.parse(received),
				}),
			);
			response.on("error", reject);
		});
		request.on("error", reject);
		request.end(text);
	});
}
