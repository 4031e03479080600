// A collector of OpenTelemetry, as far as spans in JSON go.

import { once } from "node:events";
import http from "node:http";

/** @param {import("node:test").TestContext} t */
export async function collector(t) {
	/** @type {{path: string, headers: http.IncomingHttpHeaders, body: any}[]} */
	const requests = [];
	const server = http.createServer((request, response) => {
		let text = "";
		request.on("data", (chunk) => {
			text += chunk;
		});
		request.on("end", () => {
			requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
			response.setHeader("content-type", "application/json");
			response.end("{}");
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.after(() => server.close());
	const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		spans: () =>
			requests.flatMap(({ body }) =>
				body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(plain))),
			),
	};
}

/** @param {any} span */
function plain(span) {
	const attributes = Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue]));
	return { ...span, attributes };
}
