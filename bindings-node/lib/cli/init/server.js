import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE } from "../called-as.js";
import { UsageError } from "../usage-error.js";
import { checkVariableName } from "../variable-name.js";

/**
 * How a client reaches the runtime: a program that it starts, or a URL. `tokenEnv` names the variable that holds the
 * server's token; the token itself is in no file.
 *
 * @typedef {{command: string, args: string[]} | {url: string, tokenEnv?: string}} Server
 */

export const NAME = "agent-tools";
const BIN = fileURLToPath(new URL("../../../bin/agent-tools-runtime.js", import.meta.url));
const PI_EXTENSION = fileURLToPath(new URL("../../../../integrations/pi-extension", import.meta.url));

/**
 * @param {{local?: boolean, http?: string, "token-env"?: string}} options
 * @param {import("./place.js").Place} place
 * @returns {Server}
 */
export function serverOf({ local, http, "token-env": tokenEnv }, place) {
	if (local && http) throw new UsageError("--local and --http exclude each other", "--http starts no program.");
	if (tokenEnv !== undefined && !http) throw new UsageError("--token-env needs --http URL");
	if (tokenEnv !== undefined) checkVariableName(tokenEnv, "--token-env", "AGENT_TOOLS_HTTP_TOKEN");
	if (http) return { url: urlOf(http), ...(tokenEnv && { tokenEnv }) };
	if (local) return { command: process.execPath, args: [BIN, "mcp"] };
	const npx = ["-y", PACKAGE, "mcp"];
	// There npx is a batch file, which not every client can start.
	return place.windows ? { command: "cmd", args: ["/c", "npx", ...npx] } : { command: "npx", args: npx };
}

/** @param {string} text */
function urlOf(text) {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new UsageError("--http takes a URL", "Such as: --http http://127.0.0.1:8321/mcp");
	}
	if (url.username || url.password || /token|key|secret|password/i.test(url.search)) {
		throw new UsageError(
			"the URL holds a secret, which init writes into no file",
			"Keep it in a variable, and name that: --token-env AGENT_TOOLS_HTTP_TOKEN",
		);
	}
	return text;
}

/** The extension in a clone of the repository, which an installed package does not have. */
export function piExtensionHere() {
	return existsSync(path.join(PI_EXTENSION, "package.json")) ? PI_EXTENSION : undefined;
}

/** @param {Server} server @returns {server is {url: string, tokenEnv?: string}} */
export function isRemote(server) {
	return "url" in server;
}

/**
 * The header, with the variable as the client writes one.
 *
 * @param {string | undefined} tokenEnv
 * @param {(name: string) => string} reference
 */
export function withToken(tokenEnv, reference) {
	return tokenEnv ? { headers: { Authorization: `Bearer ${reference(tokenEnv)}` } } : {};
}
