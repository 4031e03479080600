import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { fixturePlugin } from "../harness/paths.js";
import { headers, INITIALIZED, initialize, MODERN, request } from "../harness/protocol.js";
import { EXAMPLES_ONLY } from "../harness/repository-plugins.js";

const LEGACY_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const JSON_TYPE = { "content-type": "application/json" };

describe("http", async () => {
	const env = { AGENT_TOOLS_PLUGINS_DIR: fixturePlugin("notes"), AGENT_TOOLS_CONFIG_DIR: EXAMPLES_ONLY };
	const { port } = await startHttp({ after }, { env });
	const list = (changes = {}) =>
		send({ port, headers: headers("legacy", "tools/list"), body: request("legacy", 1, "tools/list"), ...changes });

	test("GET is refused at once, so that no client waits on a stream that never speaks", async () => {
		for (const accept of ["text/event-stream", "application/json, text/event-stream", "*/*"]) {
			const reply = await send({ port, method: "GET", headers: { accept } });
			assert.equal(reply.status, 405, accept);
			assert.match(reply.headers.allow ?? "", /POST/);
		}
		assert.equal((await send({ port, method: "GET" })).status, 405);
	});

	for (const version of LEGACY_VERSIONS) {
		test(`initialize with ${version} is answered in that version, without a session`, async () => {
			const reply = await send({
				port,
				headers: { ...headers("legacy"), "mcp-protocol-version": version },
				body: initialize(version),
			});
			assert.equal(reply.status, 200, reply.text);
			assert.equal(reply.json().result.protocolVersion, version);
			assert.equal(reply.json().result.serverInfo.name, "agent-tools-runtime");
			assert.equal(reply.headers["mcp-session-id"], undefined);
			const notified = await send({ port, headers: headers("legacy"), body: INITIALIZED });
			assert.equal(notified.status, 202, notified.text);
		});
	}

	test(`${MODERN} needs no handshake: discover, list and call`, async () => {
		const found = await send({
			port,
			headers: headers("modern", "server/discover"),
			body: request("modern", 1, "server/discover"),
		});
		assert.ok(found.json().result.supportedVersions.includes(MODERN), found.text);

		const listed = await send({
			port,
			headers: headers("modern", "tools/list"),
			body: request("modern", 2, "tools/list"),
		});
		assert.equal(listed.json().result.resultType, "complete", listed.text);
		assert.ok(listed.json().result.tools.some(({ name }) => name === "agent_tools_call"));

		const params = { name: "agent_tools_help", arguments: {} };
		const called = await send({
			port,
			headers: headers("modern", "tools/call", params),
			body: request("modern", 3, "tools/call", params),
		});
		assert.match(called.json().result.content[0].text, /notes/);
	});

	test("a version that nobody knows is refused, and the known ones are named", async () => {
		const body = request("modern", 1, "tools/list");
		body.params._meta["io.modelcontextprotocol/protocolVersion"] = "2999-01-01";
		const reply = await send({
			port,
			headers: { ...headers("modern", "tools/list"), "mcp-protocol-version": "2999-01-01" },
			body,
		});
		assert.equal(reply.status, 400, reply.text);
		assert.equal(reply.json().error.code, -32022, reply.text);
		assert.ok(reply.text.includes(MODERN), reply.text);
	});

	test("no session and no handshake is needed to list and call", async () => {
		assert.equal((await list()).status, 200);
		const params = { name: "agent_tools_notes_call", arguments: { toolName: "add", arguments: { a: 1, b: 2 } } };
		const reply = await send({ port, headers: JSON_TYPE, body: request("legacy", 7, "tools/call", params) });
		assert.match(reply.json().result.content[0].text, /"sum":3/);
	});

	test("an unknown session id does not matter, since there are no sessions", async () => {
		const reply = await list({
			headers: { ...headers("legacy", "tools/list"), "mcp-session-id": "of-a-server-before" },
		});
		assert.equal(reply.status, 200, reply.text);
	});

	for (const [what, accept] of [
		["no Accept", {}],
		["Accept */*", { accept: "*/*" }],
		["only JSON accepted", { accept: "application/json" }],
		["both accepted", { accept: "application/json, text/event-stream" }],
	]) {
		test(`${what}: answered as JSON`, async () => {
			const reply = await list({ headers: { ...JSON_TYPE, ...accept } });
			assert.equal(reply.status, 200, reply.text);
			assert.match(String(reply.headers["content-type"]), /^application\/json/);
			assert.equal(reply.json().id, 1);
		});
	}

	for (const path of ["/mcp/", "/mcp?x=1", "/mcp/notes", "/mcp/notes/"]) {
		test(`POST ${path} is answered`, async () => {
			const reply = await list({ path });
			assert.equal(reply.status, 200, reply.text);
			assert.ok(reply.json().result.tools.length > 0);
		});
	}

	test("/mcp/<prefix> and ?view=flat show one tool per tool, /mcp shows three, ?view=facade three a plugin", async () => {
		const names = async (path) => (await list({ path })).json().result.tools.map(({ name }) => name);
		const unified = ["agent_tools_discover", "agent_tools_call", "agent_tools_run_skill"];
		assert.deepEqual(await names("/mcp"), unified);
		assert.deepEqual(await names("/mcp?view=unified"), unified);
		const facade = await names("/mcp?view=facade");
		assert.ok(facade.includes("agent_tools_notes_discover") && !facade.includes("notes_add"), facade);
		const one = await names("/mcp/notes");
		assert.ok(one.includes("add") && one.includes("skill_look"), one);
		const flat = await names("/mcp?view=flat");
		assert.ok(flat.includes("notes_add") && flat.includes("notes_skill_look"), flat);
	});

	test("instructions are those of the view that is asked for", async () => {
		const instructions = async (generation, method, path) => {
			const reply = await send({
				port,
				path,
				headers: headers(generation, method),
				body: request(generation, 1, method, initialize().params),
			});
			return reply.json().result.instructions;
		};
		for (const [generation, method] of [
			["legacy", "initialize"],
			["modern", "server/discover"],
		]) {
			const said = (path) => instructions(generation, method, path);
			assert.match(await said("/mcp"), /call agent_tools_discover \{.* View: unified\.$/);
			assert.match(
				await said("/mcp?view=facade"),
				/notes \(Notes that are forgotten at once\)\. .*agent_tools_<prefix>_discover/,
			);
			assert.match(await said("/mcp/notes"), /^Tools and skills of notes /);
		}
	});

	test("a plugin that does not exist is said to be unknown", async () => {
		const reply = await list({ path: "/mcp/nope" });
		assert.equal(reply.status, 404);
		assert.match(JSON.stringify(reply.json()), /nope/);
	});

	test("any other path is 404", async () => {
		assert.equal((await list({ path: "/" })).status, 404);
		assert.equal((await list({ path: "/mcpx" })).status, 404);
	});

	test("ping is answered, and ids come back as they were sent", async () => {
		for (const id of [0, 1, "", "a b", "0", -1, 9007199254740991]) {
			const reply = await send({ port, headers: headers("legacy", "ping"), body: request("legacy", id, "ping") });
			assert.deepEqual(reply.json(), { jsonrpc: "2.0", id, result: {} });
		}
	});

	test("an unknown method is an error with the id of the request", async () => {
		const reply = await send({
			port,
			headers: headers("legacy", "nope/nope"),
			body: request("legacy", 5, "nope/nope"),
		});
		assert.equal(reply.json().id, 5);
		assert.equal(reply.json().error.code, -32601);
	});

	test("what is not JSON is a parse error", async () => {
		const reply = await list({ body: "{" });
		assert.equal(reply.status, 400, reply.text);
		assert.equal(reply.json().error.code, -32700, reply.text);
	});

	for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"]) {
		test(`Host ${JSON.stringify(host)} is refused`, async () => {
			assert.equal((await list({ headers: { ...headers("legacy", "tools/list"), host } })).status, 403);
		});
	}

	for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "localhost"]) {
		test(`Host ${host} is answered`, async () => {
			assert.equal((await list({ headers: { ...headers("legacy", "tools/list"), host } })).status, 200);
		});
	}

	for (const origin of ["http://evil.example", "https://localhost.evil.example", "null"]) {
		test(`Origin ${origin} is refused`, async () => {
			assert.equal((await list({ headers: { ...headers("legacy", "tools/list"), origin } })).status, 403);
		});
	}

	for (const origin of [`http://localhost:${port}`, "http://127.0.0.1:5173", "http://[::1]:1"]) {
		test(`Origin ${origin} is answered`, async () => {
			assert.equal((await list({ headers: { ...headers("legacy", "tools/list"), origin } })).status, 200);
		});
	}

	test("an origin that is allowed by name is answered, and no browser is told that a page may read it", async () => {
		const page = "https://app.example";
		const served = await startHttp(
			{ after },
			{ args: ["--allowed-origin", page], env: { AGENT_TOOLS_PLUGINS_DIR: fixturePlugin("notes") } },
		);
		const headersOfPage = { ...headers("legacy", "tools/list"), origin: page };
		const reply = await list({ port: served.port, headers: headersOfPage });
		assert.equal(reply.status, 200);
		assert.equal(reply.headers["access-control-allow-origin"], undefined);
		const asked = await send({
			port: served.port,
			method: "OPTIONS",
			headers: { origin: page, "access-control-request-headers": "content-type, authorization" },
		});
		assert.equal(asked.status, 405);
		assert.equal(asked.headers["access-control-allow-origin"], undefined);
	});

	test("a body over the limit is refused, and the server goes on", async () => {
		const params = { name: "agent_tools_help", arguments: { filler: "x".repeat(32 * 1024 * 1024) } };
		const reply = await send({
			port,
			headers: headers("legacy", "tools/call"),
			body: request("legacy", 1, "tools/call", params),
		}).catch(
			// A server may close the connection while the rest of the body is still under way.
			(error) => ({ status: ["EPIPE", "ECONNRESET"].includes(error.code) ? 413 : 0 }),
		);
		assert.equal(reply.status, 413);
		assert.equal((await list()).status, 200);
	});
});
