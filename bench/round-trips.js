import { Runtime } from "../bindings-node/index.js";
import { startHttp } from "../e2e/harness/cli-http.js";
import { CLI, fixturePlugin } from "../e2e/harness/paths.js";
import { headers, request } from "../e2e/harness/protocol.js";
import { StdioSession } from "../e2e/harness/stdio-session.js";
import { residentMegabytes } from "./memory.js";
import { startMinimalServer } from "./minimal-server.js";
import { rawHttpClient } from "./raw-http-client.js";
import { percentile, sampleInTurns } from "./samples.js";

const SIZE = { rounds: 5, each: 400 };
const PLUGINS = [fixturePlugin("notes"), fixturePlugin("echo")];
const CALLS = {
	"no plugin": { name: "agent_tools_help", arguments: {} },
	"JavaScript plugin": echo("notes"),
	"MCP server as child": echo("echo"),
};

/**
 * @param {string} prefix
 */
function echo(prefix) {
	return { name: `agent_tools_${prefix}_call`, arguments: { toolName: "echo", arguments: { message: "hi" } } };
}

/**
 * One call after the other, through each door, and to a server that does nothing else.
 *
 * @param {{after(fn: () => unknown): void}} scope
 * @returns {Promise<import("./table.js").Row[]>}
 */
export async function roundTrips(scope) {
	const minimal = await startMinimalServer();
	scope.after(minimal.stop);
	const env = { AGENT_TOOLS_PLUGINS_DIR: PLUGINS.join(":") };
	const http = await startHttp(scope, { env });
	const stdio = new StdioSession("legacy", process.execPath, [CLI, "mcp"], { env: { ...process.env, ...env } });
	scope.after(() => stdio.child.stdin.end());
	await stdio.open();
	const runtime = await Runtime.open({ pluginDirs: PLUGINS });
	scope.after(() => runtime.close());

	const [toMinimal, toOurs] = await Promise.all([poster(scope, minimal.port), poster(scope, http.port)]);
	/** @type {Record<string, () => Promise<unknown>>} */
	const runs = { "HTTP, minimal rmcp server": () => toMinimal({ name: "echo", arguments: { message: "hi" } }) };
	for (const [what, call] of Object.entries(CALLS)) {
		runs[`HTTP, ${what}`] = () => toOurs(call);
		runs[`stdio, ${what}`] = () => stdio.request("tools/call", call);
		runs[`in process, ${what}`] = () => runtime.callTool(call.name, call.arguments);
	}
	for (const [name, run] of Object.entries(runs)) assertAnswers(name, await run());

	const times = await sampleInTurns(runs, SIZE);
	const base = percentile(times["HTTP, minimal rmcp server"] ?? [], 50);
	return [
		...Object.entries(times).map(([name, ascending]) => ({
			name,
			value: `${percentile(ascending, 50).toFixed(0)} µs, p99 ${percentile(ascending, 99).toFixed(0)} µs`,
			...(name.startsWith("HTTP, ") ? { compared: `${(percentile(ascending, 50) / base).toFixed(2)}×` } : {}),
			...(name === "HTTP, no plugin" ? { aim: "≤ 1.2×" } : {}),
		})),
		{ name: "memory, minimal rmcp server", value: `${residentMegabytes(minimal.pid)} MB` },
		{ name: "memory, HTTP server with two plugins", value: `${residentMegabytes(http.child.pid)} MB` },
	];
}

/**
 * @param {{after(fn: () => unknown): void}} scope
 * @param {number} port
 * @returns {Promise<(call: {name: string, arguments: object}) => Promise<string>>}
 */
async function poster(scope, port) {
	const client = await rawHttpClient(port);
	scope.after(client.close);
	const head = headers("legacy", "tools/call");
	let id = 0;
	return (call) => client.post(head, request("legacy", id++, "tools/call", call));
}

/**
 * A server that refuses quickly would look fast.
 *
 * @param {string} name
 * @param {unknown} reply
 */
function assertAnswers(name, reply) {
	const text = JSON.stringify(reply);
	if (/"error"|"isError\\*":true/.test(text)) throw new Error(`${name}: ${text}`);
}
