// The official Python SDK, in both generations of the protocol.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { LEGACY, MODERN } from "../harness/protocol.js";
import { pythonProgram, withoutPython } from "../harness/python-servers.js";
import { Spawned } from "../processes/spawned.js";
import { journey, TOOLS } from "./journey.js";
import { makePlace, serverEntry } from "./place.js";

const CLIENT = fileURLToPath(new URL("python-client.py", import.meta.url));

/** `asked`: whether a question reaches a person. */
const CASES = /** @type {const} */ ([
	{ way: "stdio", mode: "auto", version: MODERN, asked: true },
	{ way: "http", mode: "auto", version: MODERN, asked: true },
	{ way: "stdio", mode: "legacy", version: LEGACY, asked: true },
	{ way: "http", mode: "legacy", version: LEGACY, asked: false },
]);

describe("the Python SDK", { timeout: 600_000, skip: withoutPython() }, () => {
	for (const { way, mode, version, asked } of CASES) {
		for (const answer of ["once", "no", null]) {
			test(`${way}, ${version}, ${answer ? `a person who says ${answer}` : "nobody to ask"}`, async (t) => {
				const place = makePlace();
				const entry = /** @type {any} */ (await serverEntry(t, way, place));
				const steps = journey(asked && answer === "no" ? "refused" : "made");
				const server = entry.url ?? { ...entry, env: place.env, cwd: place.folder };
				const said = await drive(t, place, { server, mode, answer, calls: steps });
				assert.equal(said.version, version);
				assert.deepEqual(said.tools.sort(), TOOLS);
				steps.forEach((step, at) => void assert.match(said.answers[at], step.answer));
				assert.equal(said.questions.length, asked && answer ? 1 : 0);
			});
		}
	}
});

/**
 * @param {import("node:test").TestContext} t
 * @param {ReturnType<typeof makePlace>} place
 * @param {object} order
 * @returns {Promise<{version: string, tools: string[], answers: string[], questions: string[]}>}
 */
async function drive(t, { folder, env }, order) {
	const child = new Spawned(t, pythonProgram("python"), [CLIENT], { cwd: folder, env, input: "open" });
	child.write(JSON.stringify(order));
	child.endInput();
	assert.equal((await child.exitWithin(120_000)).code, 0, child.output);
	return JSON.parse(child.stdout);
}
