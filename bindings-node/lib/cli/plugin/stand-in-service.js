import { once } from "node:events";
import http from "node:http";

/**
 * Answers everything, as the service does in the plugin's own test, and the plugin is pointed at it.
 *
 * @param {import("./kinds.js").Environment} environment all get a value
 * @param {string} variable of the address
 */
export async function standInService(environment, variable) {
	/** @type {string[]} */
	const requests = [];
	const service = http.createServer(({ method, url }, response) => {
		requests.push(`${method} ${url}`);
		response.setHeader("content-type", "application/json");
		response.end("{}");
	});
	await once(service.listen(0, "127.0.0.1"), "listening");
	const { port } = /** @type {import("node:net").AddressInfo} */ (service.address());
	for (const name of Object.keys(environment)) process.env[name] = `test-${name}`;
	process.env[variable] = `http://127.0.0.1:${port}`;
	return {
		requests,
		close() {
			service.close();
			service.closeAllConnections();
		},
	};
}
