// Published documents of real services, each with more than a hundred operations, as plugins.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { recordingService } from "./recording-service.js";
import { SERVICES } from "./services.js";

/** For a debug build on a busy machine; `npm run bench` measures. */
const LISTED_WITHIN_MS = 20_000;

for (const service of SERVICES) {
	test(`${service.name} is listed, found and called`, { timeout: 60_000 }, async (t) => {
		const { url, received } = await recordingService(t);
		const runtime = await Runtime.open({
			pluginDirs: [],
			plugins: [{ prefix: "x", openapi: { document: service.document, baseUrl: url, ...service.settings } }],
			// A DELETE is refused where nobody can be asked, unless the user allows it.
			policy: { groups: { destructive: "allow" } },
		});
		t.after(() => runtime.close());

		const start = performance.now();
		const tools = await runtime.tools({ kind: "flat", plugin: "x" });
		const ms = Math.round(performance.now() - start);
		const names = tools.map(({ name }) => name).filter((name) => name !== "read_more");
		t.diagnostic(`${service.name}: ${names.length} operations listed in ${ms} ms`);
		assert.ok(ms < LISTED_WITHIN_MS);
		assert.equal(names.length, service.operations);
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
