// The connection files that `agent-tools init eve` writes: eve's own types accept them.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CLI, ROOT } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { NODE24, temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";

/** @param {string} file */
const inRoot = (file) => path.join(ROOT, file);

test("one for each plugin, and tsc finds nothing wrong with them", async (t) => {
	const home = temporaryFolder("eve-init");
	const project = path.join(home, "project");
	mkdirSync(path.join(project, "agent"), { recursive: true });
	mkdirSync(path.join(home, ".config/agent-tools"), { recursive: true });
	const plugins = onlyRepositoryPlugins("demo", "everything");
	writeFileSync(path.join(home, ".config/agent-tools/agent-tools.json"), JSON.stringify({ plugins }));
	const run = async (/** @type {string[]} */ ...args) => {
		const child = new Spawned(t, NODE24, args, { cwd: project, env: { HOME: home, PATH: process.env.PATH } });
		const { code } = await child.exitWithin(120_000);
		return { code, output: child.output };
	};
	const written = await run(CLI, "init", "eve", "--yes");
	assert.equal(written.code, 0, written.output);
	const folder = path.join(project, "agent/connections");
	assert.deepEqual(readdirSync(folder).sort(), ["demo.ts", "everything.ts"]);

	const types = inRoot("e2e/node_modules/eve/dist/src/public/connections/index.d.ts");
	const config = {
		extends: inRoot("tsconfig.json"),
		compilerOptions: {
			erasableSyntaxOnly: true,
			verbatimModuleSyntax: true,
			typeRoots: [inRoot("node_modules/@types")],
			paths: { "eve/connections": [types] },
		},
		include: ["agent"],
		exclude: [],
	};
	writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify(config));
	writeFileSync(path.join(project, "package.json"), '{ "type": "module" }');
	const tsc = [inRoot("node_modules/typescript/bin/tsc"), "--noEmit", "-p", project];
	const checked = await run(...tsc);
	assert.equal(checked.code, 0, checked.output);

	// The check can fail: a connection that eve's types refuse.
	writeFileSync(
		path.join(folder, "wrong.ts"),
		'import { defineMcpClientConnection } from "eve/connections";\nexport default defineMcpClientConnection({ url: 1 });\n',
	);
	assert.notEqual((await run(...tsc)).code, 0);
});
