import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { ROOT } from "../harness/paths.js";

// The page is tried as it stands: its files are written, validated and called.

const PAGE = readFileSync(path.join(ROOT, "docs/write-a-plugin.md"), "utf8");
const COMMAND = path.join(ROOT, "bindings-node/bin/agent-tools-runtime.js");

/** The files of the page: a line with the path in backticks, then a block with the content. */
const FILES = [...PAGE.matchAll(/^`([^`\n]+)`\n\n```\w+\n(.*?)^```$/gms)].map(([, name, text]) => ({ name, text }));

/** The calls of the page, each with what its answer holds. */
const CALLS = [...PAGE.matchAll(/^```call\n(\S+) (.*?)\n```$.*?^```answer\n(.*?)\n```$/gms)].map(
	([, tool, args, answer]) => ({ tool, args: JSON.parse(args), answer }),
);

describe("the page about writing a plugin", { timeout: 120_000 }, () => {
	/** @type {string} */
	let root;
	/** @type {http.Server} */
	let pets;
	/** @type {http.IncomingMessage[]} */
	const requests = [];

	before(async () => {
		root = mkdtempSync(path.join(tmpdir(), "agent-tools-page-"));
		for (const { name, text } of FILES) {
			mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
			writeFileSync(path.join(root, name), text);
		}
		// What `npm install` in the plugin's folder would bring.
		symlinkSync(path.join(ROOT, "e2e/node_modules"), path.join(root, "node_modules"));
		pets = http.createServer((request, response) => {
			requests.push(request);
			response.setHeader("content-type", "application/json");
			response.end('[{"name":"Molly"}]');
		});
		await once(pets.listen(0, "127.0.0.1"), "listening");
		const { port } = /** @type {import("node:net").AddressInfo} */ (pets.address());
		Object.assign(process.env, {
			PETS_URL: `http://127.0.0.1:${port}`,
			PETS_KEY: "k-12345678",
			MEMORY_FILE: path.join(root, "memory.json"),
		});
	});

	after(() => {
		pets.close();
		rmSync(root, { recursive: true, force: true });
	});

	test("it has an example of every kind", () => {
		const manifests = FILES.filter(({ name }) => name.endsWith("plugin.json"));
		const keys = manifests.map(({ text }) => Object.keys(JSON.parse(text).extensions["dev.agent-tools-runtime"]));
		for (const way of ["adapter", "mcp", "openapi", "cli"]) assert.ok(keys.flat().includes(way), way);
		assert.equal(CALLS.length, 5);
	});

	for (const name of ["words", "memory", "pets", "history"]) {
		test(`agent-tools-plugin-${name} is valid`, () => {
			const folder = path.join(root, `agent-tools-plugin-${name}`);
			const { stdout, stderr, status } = spawnSync(process.execPath, [COMMAND, "validate", folder], {
				encoding: "utf8",
				env: process.env,
			});
			assert.equal(stderr, "");
			assert.match(stdout, new RegExp(`^${name}: [1-9]\\d* tools?, \\d skills?\nvalid\n$`));
			assert.equal(status, 0);
		});
	}

	for (const { tool, args, answer } of CALLS) {
		test(`${tool} answers as the page says`, async (t) => {
			const runtime = await Runtime.open({ packageRoot: null, pluginDirs: [root], config: false });
			t.after(() => runtime.close());
			const { content, isError } = await runtime.callTool(tool, args);
			const text = content.map((part) => ("text" in part ? part.text : "")).join("\n");
			assert.equal(isError, false, text);
			assert.ok(text.replaceAll("\\", "").includes(answer), text);
		});
	}

	test("the credential reached the service, and its query too", () => {
		const [request] = requests.filter(({ url }) => url === "/pets?kind=cat");
		assert.equal(request.headers["x-key"], "k-12345678");
	});
});
