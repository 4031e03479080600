// The official TypeScript SDK: the one of 2026, and version 1, which most clients were made with, VS Code among them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { CLIENT, LEGACY, MODERN } from "../harness/protocol.js";
import { TOOLS, walk } from "./journey.js";
import { makePlace, serverEntry } from "./place.js";

/** @typedef {{stdio: new (server: any) => any, http: new (url: URL) => any}} Transports */

/**
 * Clients by what they are made with: `connect` is given the answer of a person, if there is one.
 *
 * @type {{name: string, transports: Transports, make: (person?: (params: any) => object) => any, version: string}[]}
 */
const CLIENTS = [
	{ name: "SDK 1", transports: { stdio: Stdio1, http: Http1 }, make: version1, version: LEGACY },
	{ name: "SDK 2", transports: { stdio: Stdio2, http: Http2 }, make: version2("legacy"), version: LEGACY },
	{ name: "SDK 2", transports: { stdio: Stdio2, http: Http2 }, make: version2("auto"), version: MODERN },
];

/** @param {(params: any) => object} [person] */
function version1(person) {
	const client = new Client1(CLIENT, { capabilities: person ? { elicitation: {} } : {} });
	if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => /** @type {any} */ (person(params)));
	return client;
}

/** @param {"legacy" | "auto"} mode */
function version2(mode) {
	return (/** @type {((params: any) => object) | undefined} */ person) => {
		const client = new Client2(CLIENT, {
			capabilities: person ? { elicitation: {} } : {},
			versionNegotiation: { mode },
		});
		if (person) client.setRequestHandler("elicitation/create", ({ params }) => /** @type {any} */ (person(params)));
		return client;
	};
}

for (const { name, transports, make, version } of CLIENTS) {
	for (const way of /** @type {const} */ (["stdio", "http"])) {
		describe(`the TypeScript ${name} over ${way}, ${version}`, { timeout: 600_000 }, () => {
			// An older client has no session over HTTP in which it could be asked.
			const asked = way === "stdio" || version === MODERN;

			test("lists, finds, calls and runs", async (t) => {
				const client = await connect(t, make());
				const { tools } = await client.listTools();
				assert.deepEqual(tools.map((/** @type {any} */ tool) => tool.name).sort(), TOOLS);
				await walk("made", calls(client));
			});

			for (const answer of ["once", "no"]) {
				test(`a person who says ${answer}`, async (t) => {
					/** @type {any[]} */
					const questions = [];
					const person = (/** @type {any} */ params) => {
						questions.push(params.message);
						return { action: "accept", content: { answer } };
					};
					const client = await connect(t, make(person));
					await walk(asked && answer === "no" ? "refused" : "made", calls(client));
					assert.equal(questions.length, asked ? 1 : 0);
				});
			}

			/**
			 * @param {import("node:test").TestContext} t
			 * @param {any} client
			 */
			async function connect(t, client) {
				const place = makePlace();
				const entry = /** @type {any} */ (await serverEntry(t, way, place));
				const local = { ...entry, env: place.env, cwd: place.folder, stderr: "ignore" };
				await client.connect(entry.url ? new transports.http(new URL(entry.url)) : new transports.stdio(local));
				t.after(() => client.close());
				return client;
			}
		});
	}
}

/**
 * @param {any} client
 * @returns {Parameters<typeof walk>[1]}
 */
function calls(client) {
	return async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
}
