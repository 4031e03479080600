import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { CLI } from "../../harness/paths.js";
import { StdioSession } from "../../harness/stdio-session.js";
import { environment } from "../doors.js";
import { BIG_FILE, makeRest } from "../rest-plugin.js";
import { assertShows } from "../runners.js";

const CALL = "agent_tools_x_call";

/**
 * What the cases about HTTP services say in words.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C130: async ({ t, input, open, door, rest }) => {
		const before = rest.service.received.length;
		assertNotSent(await door.call(CALL, { toolName: "detail", arguments: { id: "." } }), rest, before);

		// Parts that are harmless by themselves must not make another path together, nor leave the base.
		const [parameter] = input.openapi.paths["/records/{id}/detail"].get.parameters;
		const named = (/** @type {string} */ name, more = {}) => ({ ...parameter, name, ...more });
		input.openapi.servers[0].url += "/base/v1";
		input.openapi.paths = {
			"/two/{a}{b}/x": { get: { operationId: "two", parameters: [named("a"), named("b")] } },
			"/dotted/.{a}": { get: { operationId: "dotted", parameters: [named("a")] } },
			"/label/{a}": { get: { operationId: "label", parameters: [named("a", { style: "label" })] } },
		};
		const based = await makeRest(t, input);
		const { call } = await open(based.content);
		for (const [toolName, args] of /** @type {const} */ ([
			["two", { a: ".", b: "." }],
			["dotted", { a: "." }],
			["label", { a: "." }],
		])) {
			assertNotSent(await call(CALL, { toolName, arguments: args }, { session: toolName }), based);
		}
		const kept = await call(CALL, { toolName: "two", arguments: { a: "../..", b: "\\..\\" } });
		assertAnswered(kept);
		assert.equal(based.service.received[0].target, "/base/v1/two/..%2F..%5C..%5C/x");
	},

	C132: async ({ door, rest }) => {
		for (const [args, query] of /** @type {const} */ ([
			[{ a: [], e: false }, "/s?e=false"],
			[{ a: [], b: [], c: [] }, "/s"],
		])) {
			assertAnswered(await door.call(CALL, { toolName: "s", arguments: args }));
			assert.equal(rest.service.received.at(-1).target, query);
		}
	},

	C134: async ({ t, input, open, answers: [own, elsewhere], rest }) => {
		assertAnswered(own);
		assert.deepEqual(targets(rest.service), ["/v2/w"]);
		assert.ok(elsewhere.isError);
		for (const wanted of [rest.other.origin, "allowedOrigins"]) assertShows(elsewhere.text, wanted);
		assert.deepEqual(targets(rest.other), []);

		const credentials = { headers: { "X-Api-Key": "CANARY-A" }, query: { key: "CANARY-B" } };
		for (const [setting, isTrusted] of /** @type {const} */ ([
			["allowedOrigins", false],
			["credentialOrigins", true],
		])) {
			const { content, service, other } = await makeRest(t, input, credentials);
			content.manifest.openapi[setting] = [other.origin];
			const { call } = await open(content);
			for (const toolName of ["w", "x"]) assertAnswered(await call(CALL, { toolName }));
			assert.deepEqual(targets(service), ["/v2/w?key=CANARY-B"]);
			assert.equal(service.received[0].headers["x-api-key"], "CANARY-A");
			assert.deepEqual(targets(other), [isTrusted ? "/v9/x?key=CANARY-B" : "/v9/x"]);
			assert.equal(other.received[0].headers["x-api-key"], isTrusted ? "CANARY-A" : undefined);
		}
	},

	C136: async ({ t, input, open, door, answers: [latin], rest }) => {
		const next = async () =>
			door.call(CALL, { toolName: "t", arguments: {} }, { session: `${rest.service.received.length}` });
		assertAnswered(latin);
		assertShows(latin.text, "ïk é");

		const mislabelled = await next();
		assertAnswered(mislabelled);
		assertShows(mislabelled.text, "not json");
		assertShows(JSON.parse(mislabelled.text).notes.join(), /JSON, but it is not/);

		const refused = await next();
		assert.ok(refused.isError);
		for (const wanted of ["422", '"title":"bad"', '"detail":"limit"']) assertShows(refused.text, wanted);

		const image = await next();
		assertAnswered(image);
		const shown = image.content.find(({ type }) => type === "image");
		assert.deepEqual([shown.mimeType, shown.data], ["image/png", "iVBORw=="]);

		for (const kind of ["without a type", "compressed"]) {
			const answer = await next();
			assertAnswered(answer);
			assert.deepEqual(JSON.parse(answer.text).result, { a: 1 }, kind);
		}
		assert.equal(rest.service.received.length, input.rules.length);

		// Other text, and errors of services that speak no JSON.
		input.rules = [
			{ headers: { "content-type": "text/csv" }, body: "a,b\n1,é\n" },
			{ headers: { "content-type": "application/xml" }, body: "<a>é</a>" },
			{ headers: { "content-type": "text/html; charset=utf-8" }, body: "<p>é</p>" },
			{ status: 502, headers: { "content-type": "text/html" }, body: "<p>bad gateway é</p>" },
		];
		const texts = await makeRest(t, input);
		const { call } = await open(texts.content);
		for (const { status = 200, body } of input.rules) {
			const answer = await call(CALL, { toolName: "t", arguments: {} });
			assert.equal(answer.isError, status !== 200, answer.text);
			assert.ok(
				JSON.stringify(JSON.parse(answer.text).result).includes(JSON.stringify(body).slice(1, -1)),
				answer.text,
			);
		}

		// What is no media type says nothing, and so does none.
		for (const headers of [{ "content-type": "json" }, { "content-type": "" }]) {
			const vague = await makeRest(t, { ...input, rules: [{ headers, body: '{"a":1}' }] });
			const answer = await (await open(vague.content)).call(CALL, { toolName: "t", arguments: {} });
			assert.deepEqual(JSON.parse(answer.text).result, { a: 1 });
		}

		// Counted after it is unpacked: 20 KB that become 20 MB.
		const bytes = gzipSync(Buffer.alloc(20 * 1024 * 1024));
		input.rules = [{ headers: { "content-type": "application/json", "content-encoding": "gzip" }, bytes }];
		const bomb = await makeRest(t, { ...input, rules: [] }, { maxResponseBytes: 1024 * 1024 });
		bomb.service.rules.push(...input.rules);
		const tooLarge = await (await open(bomb.content)).call(CALL, { toolName: "t", arguments: {} });
		assert.ok(tooLarge.isError);
		assertShows(tooLarge.text, "maxResponseBytes");
	},

	C138: async ({ open, t, input, door, answers: [inline, byPath, missing], rest }) => {
		for (const answer of [inline, byPath]) assertAnswered(answer);
		assert.ok(rest.service.received[1].body.equals(BIG_FILE));
		assert.equal(missing.code, "ARG_VALIDATION_FAILED", missing.text);
		assert.equal(rest.service.received.length, 2);
		for (const { text } of [inline, byPath, missing]) assert.ok(!text.includes("AAEC"), text);

		// Nor more than a glimpse of a long one, whatever becomes of the call.
		const base64 = BIG_FILE.subarray(0, 100_000).toString("base64");
		for (const [body, confirm] of /** @type {const} */ ([
			[{ base64 }, true],
			[{ base64 }, undefined],
			[{ base64: `${base64}*` }, true],
			[{ base64, text: "both" }, true],
			[base64, true],
		])) {
			const long = { toolName: "raw", arguments: { body }, ...(confirm && { confirm }) };
			const { text } = await door.call(CALL, long, { session: `long-${typeof body}` });
			assert.ok(!text.includes(base64.slice(0, 100)), text.slice(0, 2000));
		}
		assert.equal(rest.service.received.splice(2).length, 1);

		// Only from the allowed root, by whatever way the path leaves it.
		writeFileSync(path.join(rest.files, "../secret"), "s");
		symlinkSync("../secret", path.join(rest.files, "link"));
		for (const outside of [
			"../secret",
			"./../files/../secret",
			"/etc/hostname",
			"link",
			path.join(rest.files, "../secret"),
		]) {
			const args = { toolName: "raw", arguments: { body: { path: outside } }, confirm: true };
			assertNotSent(await door.call(CALL, args, { session: outside }), rest, 2);
		}
		const closed = await makeRest(t, input, { filesFolder: undefined });
		const args = { toolName: "raw", arguments: { body: { path: "big.bin" } }, confirm: true };
		assertNotSent(await (await open(closed.content)).call(CALL, args), closed);
	},

	C140: async ({ t, input, open, answers: [answer], rest }) => {
		assertAnswered(answer);
		assert.equal(rest.service.received[0].headers["content-type"], "application/json");

		const { post } = input.openapi.paths["/v"];
		const taking = (/** @type {unknown} */ schema) => ({
			post: { ...post, operationId: "t", requestBody: { content: { "application/json": { schema } } } },
		});
		for (const [schema, body] of /** @type {const} */ ([
			[{ type: "integer" }, 7],
			[{ type: "boolean" }, false],
			[{ type: "string", nullable: true }, null],
			[{ type: "string" }, "día"],
			[{ type: "object" }, { any: { thing: [1, null] } }],
			[{}, ["free", 1]],
		])) {
			input.openapi.paths = { "/v": taking(schema) };
			const { content, service } = await makeRest(t, input);
			assertAnswered(await (await open(content)).call(CALL, { toolName: "t", arguments: { body }, confirm: true }));
			assert.equal(service.received[0].body.toString(), JSON.stringify(body));
		}

		// Names that the document does not give, or gives twice, are the same whatever its order is.
		const same = { operationId: "same" };
		const paths = { "/users/{id}": { get: {} }, "/a": { get: same }, "/b": { get: same } };
		const names = [];
		for (const ordered of [paths, Object.fromEntries(Object.entries(paths).reverse())]) {
			const { content } = await makeRest(t, { ...input, openapi: { ...input.openapi, paths: ordered } });
			const door = await open(content);
			const tools = await door.tools({ kind: "flat", plugin: "x" });
			names.push(
				tools
					.map(({ name }) => name)
					.filter((name) => name !== "read_more")
					.sort(),
			);
			if (ordered === paths) await assertWarned(t, door.plugin, ["GET /a", "GET /b", "same"]);
		}
		assert.deepEqual(names[0], names[1]);
		assert.equal(new Set(names[0]).size, 3);
		for (const name of ["get_users_id", "same"]) assert.ok(names[0].includes(name), names[0].join());
	},

	C142: async ({ t, input, open, answers: [answer], rest }) => {
		const target = `${rest.other.origin}/x`;
		assertShows(answer.text, target);
		assert.deepEqual(targets(rest.service), ["/r?key=CANARY-B"]);
		assert.deepEqual(targets(rest.other), []);

		const all = { cookies: { session: "CANARY-C" }, followRedirects: true };
		const away = await makeRest(t, input, all);
		// Not the public internet: followed only where the user has named it.
		away.content.manifest.openapi.allowedOrigins = [away.other.origin];
		assertAnswered(await (await open(away.content)).call(CALL, { toolName: "r" }));
		assertCredentials(away.service.received[0], true);
		assertCredentials(away.other.received[0], false);
		assert.deepEqual(targets(away.other), ["/x"]);

		// A key of the document's own security schemes is no different, nor one that the service repeats in its redirect.
		input.openapi.components = { securitySchemes: { a: { type: "apiKey", in: "query", name: "key" } } };
		input.openapi.security = [{ a: [] }];
		const scheme = { headers: undefined, query: undefined, auth: { a: "CANARY-B" }, followRedirects: true };
		const repeated = [{ status: 302, headers: { location: "http://127.0.0.1:{p2}/x?key=CANARY-B&page=2" } }];
		const keyed = await makeRest(t, { ...input, rules: repeated }, scheme);
		keyed.content.manifest.openapi.allowedOrigins = [keyed.other.origin];
		assertAnswered(await (await open(keyed.content)).call(CALL, { toolName: "r" }));
		assert.deepEqual(targets(keyed.service), ["/r?key=CANARY-B"]);
		assert.deepEqual(targets(keyed.other), ["/x?page=2"]);

		// On the same origin everything is kept, and there is an end.
		const home = { status: 302, headers: { location: "/r2" } };
		const same = await makeRest(t, { ...input, rules: [home, { headers: {}, body: "{}" }] }, all);
		assertAnswered(await (await open(same.content)).call(CALL, { toolName: "r" }));
		assert.equal(same.service.received.length, 2);
		for (const received of same.service.received) assertCredentials(received, true);

		const circle = await makeRest(t, { ...input, rules: [home] }, all);
		const endless = await (await open(circle.content)).call(CALL, { toolName: "r" });
		assert.ok(endless.isError);
		assertShows(endless.text, /redirected more than 5 times/);
		assert.equal(circle.service.received.length, 6, "the request and five redirects");
	},

	C144: async ({ t, input, open, answers: [broken, sent], rest }) => {
		assert.equal(broken.code, "ARG_VALIDATION_FAILED", broken.text);
		assertShows(broken.text, "X-Trace-Id");
		assertAnswered(sent);
		assert.equal(rest.service.received.length, 1);
		const { rawHeaders } = rest.service.received[0];
		assert.ok(!rawHeaders.includes("Evil"));
		assert.equal(rest.service.received[0].headers["x-trace-id"], "ok");

		// What a document calls a parameter, but steers the request or is configured, no argument can set.
		const steering = ["Authorization", "Host", "Cookie", "Content-Length", "X-Configured"];
		input.openapi.paths["/l"].get.parameters = steering.map((name) => ({
			name,
			in: "header",
			schema: { type: "string" },
		}));
		const headers = { "X-Configured": "mine", Authorization: "Bearer mine" };
		const own = await makeRest(t, input, { headers });
		const { call } = await open(own.content);
		for (const name of [...steering, "x-configured", "host"]) {
			const refused = await call(CALL, { toolName: "l", arguments: { [name]: "9" } }, { session: name });
			assertNotSent(refused, own);
		}
		assertAnswered(await call(CALL, { toolName: "l" }));
		const { headers: received } = own.service.received[0];
		assert.deepEqual(
			[received.host, received.authorization, received.cookie, received["content-length"], received["x-configured"]],
			[`127.0.0.1:${own.service.port}`, "Bearer mine", undefined, undefined, "mine"],
		);
	},
};

function targets({ received }) {
	return received.map(({ target }) => target);
}

function assertAnswered({ isError, text }) {
	assert.equal(isError, false, text);
}

/** Refused here, before anything went out. */
function assertNotSent({ code, text }, { service, other }, before = 0) {
	assert.equal(code, "ARG_VALIDATION_FAILED", text);
	assert.deepEqual([service.received.length, other.received.length], [before, 0]);
}

/** The key of the header, that of the query and the cookie, all or none. */
function assertCredentials({ target, headers, rawHeaders }, present) {
	const found = [
		headers["x-api-key"] === "CANARY-A",
		target.includes("CANARY-B"),
		headers.cookie === "session=CANARY-C",
	];
	assert.deepEqual(found, [present, present, present], target);
	if (!present) assert.ok(!`${target} ${rawHeaders}`.includes("CANARY"), `${target} ${rawHeaders}`);
}

/** What the log says while the plugin is loaded. */
async function assertWarned(t, plugin, words) {
	// What is known from an earlier run is not looked at again, and so not warned of.
	const cache = path.join(path.dirname(plugin.folder), "cache-of-its-own");
	const env = { ...environment(plugin), AGENT_TOOLS_LOG: "warn", AGENT_TOOLS_CACHE_DIR: cache };
	const session = new StdioSession("legacy", process.execPath, [CLI, "mcp"], { env });
	t.after(() => session.child.kill());
	await session.open();
	await session.request("tools/call", { name: "agent_tools_x_discover", arguments: {} });
	session.child.stdin.end();
	await session.ended;
	for (const word of words) assertShows(session.stderr, word);
}
