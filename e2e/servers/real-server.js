import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../../bindings-node/index.js";
import { freePort } from "../harness/free-port.js";
import { killMarked, leftAfter, MARKER, markedProcesses } from "../harness/marked-processes.js";
import { installed } from "../harness/paths.js";

/** How long a server that was stopped may take to be gone. */
const GONE_WITHIN_MS = 10_000;
/** A first start may have to read much from a cold disk. */
const START_LIMIT_MS = 60_000;

/**
 * A published MCP server.
 *
 * @typedef {object} RealServer
 * @property {string} name
 * @property {string[]} tools the names of all of them
 * @property {string[]} [offers] the tools that its resources and prompts become
 * @property {string | false} [skip] why it cannot be tried here
 * @property {(place: Place) => Settings | Promise<Settings>} setUp
 *
 * Where the test may write, and what a process of its own must have in its environment.
 *
 * @typedef {{t: import("node:test").TestContext, folder: string, env: NodeJS.ProcessEnv}} Place
 *
 * One call, and what must have come of it. `text` is that of all text parts of the answer, `result` what the tool itself
 * gave: its structured content, or its text as JSON where it is that.
 *
 * @typedef {object} Settings
 * @property {object} mcp as in a manifest
 * @property {string} tool
 * @property {Record<string, unknown>} arguments
 * @property {boolean} [confirm]
 * @property {(answer: {text: string, result: any}) => unknown} check
 */

/** What the reference server offers, whichever way it is reached. */
export const EVERYTHING = {
	tools: [
		..."echo get-annotated-message get-env get-resource-links get-resource-reference get-structured-content".split(" "),
		..."get-sum get-tiny-image gzip-file-as-resource toggle-simulated-logging toggle-subscriber-updates".split(" "),
		..."trigger-long-running-operation simulate-research-query".split(" "),
	],
	offers: [
		..."list_resources read_resource prompt_simple-prompt prompt_args-prompt".split(" "),
		..."prompt_completable-prompt prompt_resource-prompt".split(" "),
	],
};

/** @param {RealServer} server */
export function testServer({ name, tools: own, offers = [], skip = false, setUp }) {
	const tools = [...own, ...offers];
	test(`${name} is listed, called and closed`, { timeout: 180_000, skip }, async (t) => {
		const { place, marker } = makePlace(t);
		const settings = await setUp(place);
		const byUrl = "url" in settings.mcp;
		const mcp = byUrl ? settings.mcp : withEnv(settings.mcp, place.env);
		// What a server says may destroy something is refused where nobody can be asked, unless the user allows it.
		const policy = { groups: /** @type {const} */ ({ destructive: "allow" }) };
		const runtime = await Runtime.open({ pluginDirs: [], plugins: [{ prefix: "x", mcp }], policy });
		t.after(() => runtime.close());
		const others = markedProcesses(marker).length;

		const found = await runtime.discover("x");
		assert.equal(found.isError, false, found.content[0].text);
		assertListed(found, tools);
		const listed = await runtime.tools({ kind: "flat", plugin: "x" });
		assert.deepEqual(listed.map((tool) => tool.name).sort(), [...tools, "read_more"].sort());

		const answer = await runtime.call("x", settings.tool, settings.arguments, { confirm: settings.confirm });
		assertAnswer(answer, settings);

		const running = markedProcesses(marker).length - others;
		assert.ok(byUrl ? running === 0 : running > 0, `${running} processes were started`);
		await runtime.close();
		if (!byUrl) assert.deepEqual(await leftAfter(marker, GONE_WITHIN_MS), []);
	});
}

/**
 * @param {any} reply of a discover without a query, which names 20 tools at most to programs
 * @param {string[]} tools
 */
export function assertListed({ content: [{ text }], _meta }, tools) {
	const { matches, tools: count } = _meta["agent-tools/discover"];
	assert.equal(count, tools.length);
	assert.equal(matches.length, Math.min(tools.length, 20));
	for (const { name } of matches) assert.ok(tools.includes(name), `${name} was not expected`);
	assert.match(text, tools.length > 5 ? new RegExp(`^x: ${tools.length} tools\\.`) : /agent_tools_x_call \{/);
}

/**
 * @param {{isError?: boolean, content: any[]}} answer of the facade
 * @param {Settings} settings
 */
export function assertAnswer({ isError = false, content }, { check }) {
	const text = content.map((part) => part.text ?? "").join("\n");
	assert.equal(isError, false, text);
	check({ text, result: JSON.parse(content[0].text).result });
}

/**
 * A folder of its own, and a mark for the processes that are started there.
 *
 * @param {import("node:test").TestContext} t
 */
export function makePlace(t) {
	const marker = randomUUID();
	const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-server-"));
	t.after(() => {
		// Whatever the test finds, nothing may be left for the next one.
		killMarked(marker);
		rmSync(folder, { recursive: true, force: true });
	});
	return { marker, place: { t, folder, env: { [MARKER]: marker } } };
}

/**
 * A server of the packages that e2e/package.json pins, on the Node that runs the test.
 *
 * @param {string} program
 * @param {...string} args
 */
export function npmServer(program, ...args) {
	return { command: process.execPath, args: [installed(program), ...args] };
}

/**
 * @param {object} mcp
 * @param {NodeJS.ProcessEnv} env
 */
export function withEnv(mcp, env) {
	return { ...mcp, env: { ...("env" in mcp ? /** @type {object} */ (mcp.env) : {}), ...env } };
}

/**
 * Starts a server that listens, and waits until it does. It is stopped, and must be gone, at the end of the test.
 *
 * @param {Place} place
 * @param {(port: number) => {command: string, args: string[], env?: NodeJS.ProcessEnv}} commandFor
 * @returns {Promise<string>} http://127.0.0.1:PORT
 */
export async function startListening({ t, folder, env }, commandFor) {
	const port = await freePort();
	const { command, args, env: own = {} } = commandFor(port);
	const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...own, ...env }, stdio: "pipe" });
	let output = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
	const ended = once(child, "exit");
	t.after(async () => {
		child.kill();
		await ended;
	});
	const end = Date.now() + START_LIMIT_MS;
	while (!(await isListening(port))) {
		assert.equal(child.exitCode, null, `the server ended:\n${output}`);
		assert.ok(Date.now() < end, `the server does not listen:\n${output}`);
		await sleep(50);
	}
	return `http://127.0.0.1:${port}`;
}

/** @param {number} port */
function isListening(port) {
	return new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1");
		socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
		socket.once("connect", () => socket.destroy());
	});
}
