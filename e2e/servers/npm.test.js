// Servers from npm, as child processes.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { recordingService } from "../openapi/recording-service.js";
import { EVERYTHING, npmServer, testServer } from "./real-server.js";

testServer({
	name: "everything",
	...EVERYTHING,
	setUp: () => ({
		mcp: npmServer("mcp-server-everything", "stdio"),
		tool: "get-sum",
		arguments: { a: 2, b: 40 },
		check: ({ text }) => assert.match(text, /The sum of 2 and 40 is 42\./),
	}),
});

testServer({
	name: "filesystem",
	tools: [
		..."read_file read_text_file read_media_file read_multiple_files write_file edit_file create_directory".split(" "),
		..."list_directory list_directory_with_sizes directory_tree move_file search_files get_file_info".split(" "),
		"list_allowed_directories",
	],
	setUp: ({ folder }) => ({
		mcp: npmServer("mcp-server-filesystem", folder),
		tool: "write_file",
		arguments: { path: path.join(folder, "a.txt"), content: "día\n" },
		confirm: true,
		check: () => assert.equal(readFileSync(path.join(folder, "a.txt"), "utf8"), "día\n"),
	}),
});

testServer({
	name: "memory",
	tools: [
		..."create_entities create_relations add_observations delete_entities delete_observations".split(" "),
		..."delete_relations read_graph search_nodes open_nodes".split(" "),
	],
	offers: ["list_resources", "read_resource"],
	setUp: ({ folder }) => {
		const file = path.join(folder, "memory.jsonl");
		const ada = { name: "Ada", entityType: "person", observations: ["wrote the first program"] };
		return {
			mcp: { ...npmServer("mcp-server-memory"), env: { MEMORY_FILE_PATH: file } },
			tool: "create_entities",
			arguments: { entities: [ada] },
			confirm: true,
			check: () => assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { type: "entity", ...ada }),
		};
	},
});

testServer({
	name: "sequential-thinking",
	tools: ["sequentialthinking"],
	setUp: () => ({
		mcp: npmServer("mcp-server-sequential-thinking"),
		tool: "sequentialthinking",
		arguments: { thought: "first", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 3 },
		check: ({ result }) =>
			assert.deepEqual(result, {
				thoughtNumber: 1,
				totalThoughts: 3,
				nextThoughtNeeded: true,
				branches: [],
				thoughtHistoryLength: 1,
			}),
	}),
});

testServer({
	name: "eslint",
	tools: ["lint-files"],
	setUp: ({ folder }) => {
		writeFileSync(path.join(folder, "eslint.config.mjs"), `export default [{ rules: { "no-debugger": "error" } }];`);
		writeFileSync(path.join(folder, "a.js"), "let a;\ndebugger;\n");
		return {
			// The program of @eslint/mcp.
			mcp: { ...npmServer("mcp"), cwd: folder },
			tool: "lint-files",
			arguments: { filePaths: [path.join(folder, "a.js")] },
			confirm: true,
			check: ({ text }) => assert.match(text, /no-debugger/),
		};
	},
});

testServer({
	name: "obsidian",
	tools: [
		..."obsidian_list_vaults obsidian_read_note obsidian_create_note obsidian_edit_note obsidian_delete_note".split(
			" ",
		),
		..."obsidian_move_note obsidian_create_directory obsidian_search_vault obsidian_add_tags".split(" "),
		..."obsidian_remove_tags obsidian_rename_tag obsidian_manage_tags".split(" "),
	],
	offers: ["list_resources", "read_resource"],
	setUp: ({ folder }) => {
		mkdirSync(path.join(folder, ".obsidian"));
		return {
			mcp: npmServer("obsidian-mcp", "serve", "--vault", `notes=${folder}`),
			tool: "obsidian_create_note",
			arguments: { vault: "notes", path: "ideas/one.md", content: "# One\n" },
			confirm: true,
			check: () => assert.equal(readFileSync(path.join(folder, "ideas/one.md"), "utf8"), "# One\n"),
		};
	},
});

testServer({
	name: "openapi",
	tools: ["list-api-endpoints", "get-api-endpoint-schema", "invoke-api-endpoint"],
	setUp: async ({ t, folder }) => {
		const { url, received } = await recordingService(t);
		const document = path.join(folder, "openapi.json");
		const get = { operationId: "note", responses: { 200: { description: "a note" } } };
		const paths = { "/notes/latest": { get } };
		writeFileSync(document, JSON.stringify({ openapi: "3.0.3", info: { title: "Notes", version: "1" }, paths }));
		return {
			mcp: npmServer(
				"openapi-mcp-server",
				..."--tools dynamic --api-base-url".split(" "),
				url,
				"--openapi-spec",
				document,
			),
			tool: "invoke-api-endpoint",
			arguments: { endpoint: "/notes/latest", method: "GET" },
			confirm: true,
			check: ({ text }) => {
				assert.deepEqual(
					received.map(({ method, url }) => [method, url]),
					[["GET", "/notes/latest"]],
				);
				assert.match(text, /\/notes\/latest/);
			},
		};
	},
});
