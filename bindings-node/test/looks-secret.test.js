import assert from "node:assert/strict";
import { test } from "node:test";
import { looksSecret, secretAmong } from "../lib/cli/looks-secret.js";

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
