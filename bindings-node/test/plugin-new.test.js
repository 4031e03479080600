// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the runtime expands them

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { credentialsOf } from "../lib/cli/plugin/credentials.js";
import { DraftFolder } from "../lib/cli/plugin/draft-folder.js";
import { questionsText } from "../lib/cli/plugin/found-calls.js";
import { kinds } from "../lib/cli/plugin/kinds.js";
import { checkedName, checkedPrefix, variableStem } from "../lib/cli/plugin/names.js";
import { parsedDocument, serverOf } from "../lib/cli/plugin/openapi-document.js";
import { sampleArguments } from "../lib/cli/plugin/sample-arguments.js";
import { pluginFiles, templateFiles } from "../lib/cli/plugin/templates.js";

/** @param {import("node:test").TestContext} t */
function folder(t) {
	const dir = mkdtempSync(path.join(tmpdir(), "plugin-new-"));
	t.after(() => rmSync(dir, { recursive: true, force: true }));
	return dir;
}

test("a name is one that npm takes, with or without what stands before it", () => {
	for (const name of ["x", "my-api", "7zip", "a.b_c"]) assert.equal(checkedName(name), name);
	assert.equal(checkedName("agent-tools-plugin-notes"), "notes");
	for (const name of ["", "agent-tools-plugin-", "My", "-x", "x-", ".x", "a b", "../x", "a/b", "ñ", "@a/b", "~x"]) {
		assert.throws(() => checkedName(name), { name: "Error", message: /cannot be the name of an npm package/ }, name);
	}
	assert.throws(() => checkedName("My API!"), { hint: /: `my-api`\.$/ });
	assert.equal(checkedName("x".repeat(195)).length, 195);
	assert.throws(() => checkedName("x".repeat(196)), { hint: "npm allows 214." });
});

test("a prefix is the name, as far as tool names hold it", () => {
	assert.equal(checkedPrefix("my-api.v2"), "my-api_v2");
	assert.equal(checkedPrefix("x", "Other_1"), "Other_1");
	for (const asked of ["", "_x", "-x", "a.b", "a b", "x".repeat(43)]) {
		assert.throws(() => checkedPrefix("x", asked), { message: /cannot be a prefix/ }, asked);
	}
	assert.equal(checkedPrefix("x".repeat(42)).length, 42);
	assert.throws(() => checkedPrefix("x".repeat(43)), { hint: /^Name a shorter one: --prefix PREFIX/ });
});

test("variables have names that a shell can set", () => {
	assert.equal(variableStem("my-api.v2"), "MY_API_V2");
	assert.equal(variableStem("7zip"), "PLUGIN_7ZIP");
});

describe("sample arguments", () => {
	/** @type {[string, Record<string, any>, unknown][]} */
	const cases = [
		["a text", { type: "string" }, "example"],
		["no type", {}, "example"],
		["a default before all", { type: "string", default: "d", enum: ["a", "d"] }, "d"],
		["the first of a list", { enum: ["a", "b"] }, "a"],
		["a constant", { const: 7 }, 7],
		["a length", { type: "string", minLength: 9 }, "examplexx"],
		["a format", { type: "string", format: "date" }, "2026-01-31"],
		["a minimum", { type: "integer", minimum: 5 }, 5],
		["an open minimum", { type: "integer", exclusiveMinimum: 5 }, 6],
		["a maximum", { type: "number", maximum: 0 }, 0],
		["a multiple", { type: "integer", minimum: 7, multipleOf: 5 }, 10],
		["a multiple without a minimum", { type: "integer", multipleOf: 5 }, 5],
		["one of several types", { type: ["null", "integer"] }, 1],
		["a list", { type: "array", items: { type: "boolean" }, minItems: 2 }, [false, false]],
		["an alternative", { anyOf: [{ type: "integer" }, { type: "string" }] }, 1],
		["a reference", { $ref: "#/$defs/id" }, 3],
		[
			"parts",
			{ allOf: [{ $ref: "#/$defs/named" }, { required: ["b"], properties: { b: { const: 2 } } }] },
			{ a: 1, b: 2 },
		],
	];
	for (const [what, schema, value] of cases) {
		test(what, () => {
			const $defs = { id: { const: 3 }, named: { type: "object", required: ["a"], properties: { a: { const: 1 } } } };
			const properties = { wanted: schema, other: { type: "string" } };
			assert.deepEqual(sampleArguments({ type: "object", properties, required: ["wanted"], $defs }), { wanted: value });
		});
	}

	test("one that refers to itself ends", () => {
		const node = { type: "object", required: ["next"], properties: { next: { $ref: "#/$defs/node" } } };
		const sample = sampleArguments({ required: ["n"], properties: { n: { $ref: "#/$defs/node" } }, $defs: { node } });
		assert.match(JSON.stringify(sample), /^\{"n":\{"next":.*"example"/);
	});
});

test("each security scheme that can be sent has its variable", () => {
	const key = { type: "apiKey", in: "header", name: "X" };
	const one = credentialsOf({ components: { securitySchemes: { key } }, security: [{ key: [] }] }, "S");
	assert.deepEqual(one.auth, { key: "${S_KEY}" });
	assert.deepEqual(one.environment, { S_KEY: { description: "the key of the service", required: true, secret: true } });

	const securitySchemes = {
		key,
		"my-basic": { type: "http", scheme: "Basic" },
		login: { type: "oauth2", flows: {} },
		digest: { type: "http", scheme: "digest" },
		tls: { type: "mutualTLS" },
	};
	const many = credentialsOf({ components: { securitySchemes }, security: [{ key: [] }, { login: [] }] }, "S");
	assert.deepEqual(many.auth, {
		key: "${S_KEY_KEY:-}",
		"my-basic": { username: "${S_MY_BASIC_USER:-}", password: "${S_MY_BASIC_PASSWORD:-}" },
		login: "${S_LOGIN_TOKEN:-}",
	});
	assert.deepEqual(many.unsupported, ["digest", "tls"]);

	const swagger = credentialsOf({ swagger: "2.0", securityDefinitions: { b: { type: "basic" } } }, "S");
	assert.deepEqual(Object.keys(swagger.environment), ["S_USER", "S_PASSWORD"]);
	assert.deepEqual(credentialsOf({ openapi: "3.1.0" }, "S"), { auth: {}, environment: {}, unsupported: [] });
	const alike = { "a-b": key, a_b: key };
	assert.deepEqual(Object.keys(credentialsOf({ securityDefinitions: alike }, "S").environment), [
		"S_A_B_KEY",
		"S_A_B_KEY_2",
	]);
});

test("the server of a document is taken where it is an address", () => {
	const at = (/** @type {string} */ url, /** @type {string} */ from = "./x.json") =>
		serverOf({ servers: [{ url }] }, from);
	assert.equal(at("https://a.example/v1/"), "https://a.example/v1");
	assert.equal(at("/v1"), undefined);
	assert.equal(at("/v1", "https://a.example/docs/x.json"), "https://a.example/v1");
	for (const url of ["https://{region}.example", "https://a.example/${X}", "file:///x", "https://u:p@a.example"]) {
		assert.equal(at(url), undefined, url);
	}
	assert.equal(serverOf({ host: "a.example", basePath: "/v1", schemes: ["http"] }), "http://a.example/v1");
	assert.equal(serverOf({}), undefined);
});

test("a document is JSON or YAML, and says what it is", () => {
	assert.equal(parsedDocument('\uFEFF{"openapi":"3.1.0"}', "x").format, "json");
	assert.equal(parsedDocument("swagger: '2.0'", "x").format, "yaml");
	assert.throws(() => parsedDocument('{"a":1}', "x"), { code: "CONFIG_INVALID", message: /neither `openapi` nor/ });
	assert.throws(() => parsedDocument("<html>", "https://a.example/x?key=k"), {
		message: /^https:\/\/a\.example\/x is no OpenAPI document/,
	});
	for (const text of ["a: [", '{"a":'])
		assert.throws(() => parsedDocument(text, "x"), { message: /neither JSON nor YAML: / });
});

for (const kind of Object.keys(kinds)) {
	test(`what a template of ${kind} leaves open is filled in, and the package names all of it`, () => {
		const words = { NAME: "n", PREFIX: "p", DESCRIPTION: 'says "hi"', YEAR: "2026", RUNTIME_VERSION: "1.2.3" };
		const own = {
			PROGRAM: "C:\\x",
			VERSION_FLAG: "-v",
			VARIABLE: "N",
			DOCUMENT: "o",
			CREDENTIALS: "c",
			QUESTIONS: "q",
		};
		const parts = {
			name: "n",
			words: { ...words, ...own },
			extension: { tags: ["t"] },
			files: { "more/x.json": "{}" },
		};
		const files = pluginFiles(templateFiles(kind), parts);
		for (const [file, text] of Object.entries(files)) assert.doesNotMatch(text, /__[A-Z_]+__/, file);
		const { name, description, files: packed, license } = JSON.parse(files["package.json"] ?? "");
		assert.deepEqual([name, description, license], ["agent-tools-plugin-n", 'says "hi"', "MIT"]);
		const manifest = JSON.parse(files["plugin.json"] ?? "");
		assert.deepEqual(manifest.extensions["dev.agent-tools-runtime"].tags, ["t"]);
		for (const file of Object.keys(files)) {
			const alone = ["package.json", "README.md", "LICENSE"].includes(file) || file.startsWith("test/");
			assert.equal(packed.includes(file.split("/")[0]), !alone, file);
		}
		assert.ok(files["test/n.test.js"]);
	});
}

test("a draft is put into its place whole, or nothing of it stays", (t) => {
	const dir = folder(t);
	const place = path.join(dir, "a/b/plugin");
	const dropped = new DraftFolder(place);
	dropped.write({ "x/y.txt": "1" });
	assert.ok(!existsSync(place));
	dropped.remove();
	assert.deepEqual(readdirSync(dir), []);
	assert.ok(!existsSync(dropped.dataDir));

	const kept = new DraftFolder(place);
	kept.write({ "x/y.txt": "1" });
	kept.finish();
	kept.remove();
	assert.equal(readFileSync(path.join(place, "x/y.txt"), "utf8"), "1");
	assert.deepEqual(readdirSync(path.dirname(place)), ["plugin"]);
});

test("a draft takes no place that is taken", (t) => {
	const dir = folder(t);
	const place = path.join(dir, "plugin");
	const draft = new DraftFolder(place);
	mkdirSync(place);
	writeFileSync(path.join(place, "mine"), "1");
	assert.throws(() => draft.finish(), { message: /is there already, and nothing of it was changed/ });
	draft.remove();
	assert.deepEqual(readdirSync(dir), ["plugin"]);
	assert.throws(() => new DraftFolder(place), { hint: /--out FOLDER/ });
	assert.throws(() => new DraftFolder(path.join(place, "mine/plugin")), {
		code: "CONFIG_INVALID",
		hint: /--out FOLDER/,
	});
	assert.deepEqual(readdirSync(place), ["mine"]);
});

test("a README's row is no more than a row", () => {
	const text = questionsText({ read: { question: "a | b", tool: "t", arguments: { x: "c|d" } } });
	assert.match(text, /^\| a \\\| b \| `t \{"x":"c\\\|d"\}` \|$/m);
	assert.doesNotMatch(text, /confirm/);
});
