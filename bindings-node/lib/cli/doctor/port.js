import { once } from "node:events";
import { createServer } from "node:net";
import { calledAs } from "../called-as.js";
import { portOf } from "../http.js";
import { checksOf } from "./check.js";
import { hasProc, openFiles, pids, programOf, read } from "./processes.js";

const { ok, warning, error } = checksOf("Port");

/** What answers on this machine does so at once, and what does not is none of ours. */
const ANSWER_MS = 2000;
const LISTENS = "0A";

const INITIALIZE = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "agent-tools-doctor", version: "1" } },
};

/**
 * Whether `agent-tools http` could listen.
 *
 * @param {string} [asked] the port that was named on the command line
 */
export async function portChecks(asked) {
	const named = asked ?? (process.env.AGENT_TOOLS_HTTP_PORT || undefined);
	const port = portOf(named ?? "8321");
	const host = process.env.AGENT_TOOLS_HTTP_HOST || "127.0.0.1";
	const code = await refusal(host, port);
	const place = `${host}:${port}`;
	if (code === undefined) return [ok("port.free", `${place} is free`)];
	const other = `${calledAs()} http --port ${port + 1 > 65_535 || port < 1024 ? 8321 : port + 1}`;
	// Who named no port may not want to serve over HTTP at all.
	const level = named ? error : warning;
	if (code !== "EADDRINUSE") return [level("port.free", `${place} cannot be listened on: ${code}`, other)];
	const version = await ours(host, port);
	const owner = ownerOf(port);
	if (version !== undefined) {
		return [ok("port.free", `agent-tools-runtime ${version} listens on ${place} already${owner && ` (${owner})`}`)];
	}
	return [level("port.free", `${place} is taken by ${owner || "another program"}`, other)];
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<string | undefined>} the system's code
 */
async function refusal(host, port) {
	const server = createServer();
	try {
		server.listen(port, host);
		await once(server, "listening");
		server.close();
		await once(server, "close");
		return undefined;
	} catch (thrown) {
		return /** @type {NodeJS.ErrnoException} */ (thrown).code ?? String(thrown);
	}
}

/**
 * The version of a runtime that listens there; nothing where another program does. It is sent no token: it may be anybody.
 *
 * @param {string} host
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
async function ours(host, port) {
	try {
		const response = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${port}/mcp`, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
			body: JSON.stringify(INITIALIZE),
			redirect: "error",
			signal: AbortSignal.timeout(ANSWER_MS),
		});
		const { result, error: refused } = JSON.parse((await response.text()).slice(0, 100_000));
		if (result?.serverInfo?.name === "agent-tools-runtime") return result.serverInfo.version;
		const wantsToken = response.status === 401 && /^a bearer token is required;/.test(refused?.message);
		return wantsToken ? "(with a token)" : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Who listens, where the system tells.
 *
 * @param {number} port
 */
function ownerOf(port) {
	if (!hasProc) return "";
	const hex = port.toString(16).toUpperCase().padStart(4, "0");
	const lines = `${read("/proc/net/tcp")}\n${read("/proc/net/tcp6")}`
		.split("\n")
		.map((line) => line.trim().split(/\s+/));
	const sockets = lines
		.filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === LISTENS)
		.map((fields) => `socket:[${fields[9]}]`);
	const pid = pids().find((candidate) => openFiles(candidate).some((file) => sockets.includes(file)));
	return pid === undefined ? "" : `process ${pid}, ${programOf(pid)}`;
}
