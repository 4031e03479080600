import path from "node:path";
import { ROOT } from "../harness/paths.js";

/**
 * Published documents of real services, and one call of each.
 *
 * @typedef {object} Service
 * @property {string} name
 * @property {string} document
 * @property {number} operations how many there are
 * @property {object} settings
 * @property {string} search what finds the tool
 * @property {string} tool
 * @property {Record<string, unknown>} arguments
 * @property {{method: string, url: string, body: string}} request what must reach the service
 * @property {[string, string]} credential the header that proves who asks
 */

/** @type {Service[]} */
export const SERVICES = [
	{
		name: "Netlify (Swagger 2.0)",
		document: inPackage("@netlify/open-api/dist/swagger.json"),
		operations: 181,
		settings: { auth: { netlifyAuth: "t-2" } },
		search: "create a build hook of a site",
		tool: "createSiteBuildHook",
		arguments: { site_id: "s 1", body: { title: "nightly", branch: "main" } },
		request: { method: "POST", url: "/sites/s%201/build_hooks", body: '{"title":"nightly","branch":"main"}' },
		credential: ["authorization", "Bearer t-2"],
	},
	{
		name: "Directus (OpenAPI 3.0)",
		document: inPackage("@directus/specs/dist/openapi.json"),
		operations: 136,
		settings: { auth: { Auth: "Bearer t-3" } },
		search: "delete a file",
		tool: "deleteFile",
		arguments: { id: "8cbb43fe-4cdf-4991-8352-c461779cec02" },
		request: { method: "DELETE", url: "/files/8cbb43fe-4cdf-4991-8352-c461779cec02", body: "" },
		credential: ["authorization", "Bearer t-3"],
	},
	{
		// Hardly an operation has an `operationId`.
		name: "Blockfrost (OpenAPI 3.0, YAML)",
		document: inPackage("@blockfrost/openapi/openapi.yaml"),
		operations: 129,
		settings: { auth: { project_id: "t-4" } },
		search: "transactions of an address",
		tool: "get_addresses_address_transactions",
		arguments: { address: "addr1/x", count: 2, order: "desc" },
		request: { method: "GET", url: "/addresses/addr1%2Fx/transactions?count=2&order=desc", body: "" },
		credential: ["project_id", "t-4"],
	},
];

/** @param {string} file */
function inPackage(file) {
	return path.join(ROOT, "e2e/node_modules", file);
}
