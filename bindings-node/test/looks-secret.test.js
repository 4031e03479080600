import assert from "node:assert/strict";
import { test } from "node:test";
import { addressEntry, programEntry } from "../lib/cli/add/entry.js";
import { Place } from "../lib/cli/init/place.js";
import { serverOf } from "../lib/cli/init/server.js";
import { checkNoSecret, looksSecret, secretAmong } from "../lib/cli/looks-secret.js";
import { mcpPlugin } from "../lib/cli/plugin/mcp-plugin.js";
import { neededVariables } from "../lib/cli/plugin/needed-variables.js";
import { openapiPlugin } from "../lib/cli/plugin/openapi-plugin.js";

const RANDOM = "8f14e45fceea167a5a36dedd4bea2543";
/** A value that the file takes from elsewhere. @param {string} name */
const from = (name) => `\${${name}}`;

for (const [name, value] of /** @type {[string, string][]} */ ([
	["GITHUB_TOKEN", "abc-def-1"],
	["X-Api-Key", "named-1a"],
	["apiKey", "abcdefgh"],
	["Authorization", "Bearer abcdefgh1"],
	["ANY", `ghp_${"a1".repeat(18)}`],
	["ANY", RANDOM],
	["DATABASE_URL", "postgres://me:pass-word@db/x"],
	["ANY", "Server=x;Password=abcdefgh"],
	["", "https://example.com/mcp?api_key=abcdefgh"],
	["TOKEN", from("TOKEN:-abc-def-1")],
])) {
	test(`${name} ${value}: a secret`, () => assert.equal(looksSecret(name, value), true));
}

for (const [name, value] of /** @type {[string, string][]} */ ([
	["GITHUB_TOKEN", from("GITHUB_TOKEN")],
	["GITHUB_TOKEN", from("secret:github")],
	["GITHUB_TOKEN", from("env:GITHUB_TOKEN")],
	["GITHUB_TOKEN", `${from("GITHUB_TOKEN:-")}`],
	["Authorization", `Bearer ${from("TOKEN")}`],
	["AUTH_MODE", "none"],
	["KEY_COUNT", "12"],
	["KEY_FILE", "/home/me/key.pem"],
	["TOKEN_URL", "https://example.com/token"],
	["MAX_TOKENS", "abc-def-1"],
	["LOG", "debug"],
	["", "@modelcontextprotocol/server-everything@2026.1.14"],
	["", "550e8400-e29b-41d4-a716-446655440000"],
])) {
	test(`${name} ${value}: none`, () => assert.equal(looksSecret(name, value), false));
}

test("a command's options say what their values are", () => {
	assert.deepEqual(secretAmong(["x", "--api-key", "abc-def-1"]), { word: "abc-def-1", option: "api-key" });
	assert.deepEqual(secretAmong(["x", "--token=abc-def-1"]), { word: "--token=abc-def-1", option: "token" });
	assert.deepEqual(secretAmong(["x", "--any", RANDOM])?.word, RANDOM);
	assert.equal(secretAmong(["npx", "-y", "@a/server-memory", "--token", from("T"), "abc-def-1"]), undefined);
	assert.equal(secretAmong(["x", "--api-key=", "abc-def-1"]), undefined);
});

test("a secret in place of a name is refused, and not repeated", () => {
	const token = `ghp_${"a1".repeat(18)}`;
	for (const check of [
		() => checkNoSecret(token, "the name"),
		() => addressEntry("https://x.example/mcp", { "bearer-env": token }),
		() => programEntry(["x"], { env: [token] }),
		() => programEntry(["x"], { env: [`${token}=1`] }),
		() => serverOf({ http: "http://x/mcp", "token-env": token }, Place.ofThisUser()),
		() => neededVariables([token], ""),
		() => neededVariables([`K=${token}`], ""),
	]) {
		assert.throws(check, (/** @type {{message: string, hint: string}} */ { message, hint }) => {
			assert.match(message, /looks like a secret/);
			assert.ok(!(message + hint).includes(token));
			return true;
		});
	}
	checkNoSecret("AGENT_TOOLS_HTTP_TOKEN", "the name");
	assert.throws(() => neededVariables(["K=hunter2"], ""), { message: "`K=…` is no name of a variable" });
});

test("a plugin is not made of what holds a secret", async () => {
	const token = `ghp_${"a1".repeat(18)}`;
	const plan = (/** @type {object} */ rest) => ({
		name: "s",
		place: "/s",
		source: [],
		env: [],
		templates: {},
		...rest,
	});
	const document = (/** @type {object} */ rest) => ({
		...plan({ source: [] }),
		templates: { "openapi.yaml": JSON.stringify(rest) },
	});
	const refused = { name: "Error", message: /holds what looks like a secret/ };
	assert.throws(() => mcpPlugin(plan({ source: ["node", "x", `--token=${token}`] })), refused);
	assert.throws(() => mcpPlugin(plan({ url: "https://me:hunter2pass@x.example/mcp" })), refused);
	for (const one of [
		{ openapi: "3.1.0", servers: [{ url: "https://a.example" }, { url: "https://me:hunter2pass@x.example" }] },
		{ swagger: "2.0", host: "me:hunter2pass@x.example" },
	]) {
		await assert.rejects(async () => openapiPlugin(document(one)), refused);
	}
	await openapiPlugin(document({ openapi: "3.1.0", servers: [{ url: "https://{user}:{word}@x.example" }] }));
});
