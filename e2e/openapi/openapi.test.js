// Published documents of real services, each with more than a hundred operations, as plugins.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { ROOT } from "../harness/paths.js";
import { recordingService } from "./recording-service.js";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

const SERVICES = [
	{
		name: "Netlify (Swagger 2.0)",
		file: "@netlify/open-api/dist/swagger.json",
		settings: { auth: { netlifyAuth: "t-2" } },
		search: "create a build hook of a site",
		tool: "createSiteBuildHook",
		arguments: { site_id: "s 1", body: { title: "nightly", branch: "main" } },
		request: { method: "POST", url: "/sites/s%201/build_hooks", body: '{"title":"nightly","branch":"main"}' },
		credential: ["authorization", "Bearer t-2"],
	},
	{
		name: "Directus (OpenAPI 3.0)",
		file: "@directus/specs/dist/openapi.json",
		settings: { auth: { Auth: "Bearer t-3" } },
		search: "delete a file",
		tool: "deleteFile",
		arguments: { id: "8cbb43fe-4cdf-4991-8352-c461779cec02" },
		request: { method: "DELETE", url: "/files/8cbb43fe-4cdf-4991-8352-c461779cec02", body: "" },
		credential: ["authorization", "Bearer t-3"],
	},
];

for (const service of SERVICES) {
	test(`${service.name} is listed, found and called`, { timeout: 60_000 }, async (t) => {
		const { url, received } = await recordingService(t);
		const document = path.join(ROOT, "e2e/node_modules", service.file);
		const runtime = await Runtime.open({
			pluginDirs: [],
			plugins: [{ prefix: "x", openapi: { document, baseUrl: url, ...service.settings } }],
		});
		t.after(() => runtime.close());

		const tools = await runtime.tools({ kind: "flat", plugin: "x" });
		const names = tools.map(({ name }) => name).filter((name) => name !== "read_more");
		assert.equal(names.length, operationsIn(document));
		assert.ok(names.length > 100);
		assert.equal(new Set(names).size, names.length);
		for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);

		const found = await runtime.discover("x", service.search);
		assert.ok(found.content[0].text.includes(service.tool), found.content[0].text);

		const called = await runtime.callTool("agent_tools_x_call", {
			toolName: service.tool,
			arguments: service.arguments,
			confirm: true,
		});
		assert.equal(called.isError, false, called.content[0].text);
		const { method, url: asked, body } = received[0];
		assert.deepEqual({ method, url: asked, body }, service.request);
		assert.equal(received[0].headers[service.credential[0]], service.credential[1]);
		const { result } = JSON.parse(called.content[0].text);
		assert.deepEqual(result, { method, url: asked });
	});
}

/** @param {string} file */
function operationsIn(file) {
	const paths = Object.values(JSON.parse(readFileSync(file, "utf8")).paths);
	return paths.flatMap((item) => METHODS.filter((method) => item[method])).length;
}
