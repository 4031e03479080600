import { existsSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { calledAs } from "../called-as.js";
import { readEntries } from "../client-servers/entries.js";
import { clientFiles } from "../client-servers/files.js";
import { isOurs } from "../client-servers/ours.js";
import { NAME } from "../init/server.js";
import { checksOf } from "./check.js";
import { onPath } from "./on-path.js";
import { piExtensionChecks } from "./pi-extension.js";

const { ok, warning, error } = checksOf("Clients");

const LOCAL = new Set(["127.0.0.1", "localhost", "[::1]"]);
const CONNECT_MS = 2000;

/**
 * @typedef {import("./check.js").Check} Check
 * @typedef {import("../client-servers/files.js").ClientFile} ClientFile
 * @typedef {import("../client-servers/entries.js").Entry} Entry
 */

export async function clientChecks() {
	const ofServers = await Promise.all(clientFiles().map(fileChecks));
	const checks = [...ofServers.flat(), ...piExtensionChecks()];
	return checks.length > 0 ? checks : [ok("clients.file", "no other client's configuration was found")];
}

/**
 * @param {ClientFile} of
 * @returns {Promise<Check[]>}
 */
async function fileChecks(of) {
	const { client, file } = of;
	const { entries, mistake } = readEntries(of);
	if (mistake) {
		return [
			error(
				"clients.syntax",
				`${client.title}: ${file}: ${mistake}`,
				`correct that line: ${client.title} reads nothing of it`,
			),
		];
	}
	// One of that name is meant to be ours, whatever has become of its command.
	const ours = entries.filter((entry) => entry.name === NAME || isOurs(entry));
	if (ours.length === 0) return [ok("clients.entry", `${client.title}: ${file} does not name agent-tools`)];
	return Promise.all(ours.map((entry) => entryCheck(of, entry)));
}

/**
 * @param {ClientFile} of
 * @param {Entry} entry
 * @returns {Promise<Check>}
 */
async function entryCheck({ client, file }, { name, command, args, url, PATH }) {
	const where = `${client.title}: ${file}: ${name}`;
	if (command === undefined) return addressCheck(where, String(url));
	// A client puts in variables of its own; which, is its business.
	if (command.includes("${")) return ok("clients.command", `${where}: ${command}`);
	const found = onPath(command, { ...(PATH !== undefined && { PATH }) });
	if (!found) {
		const known = onPath(command, { PATH: path.dirname(process.execPath) });
		const fix = known
			? `write "command": ${JSON.stringify(known)} in ${file}`
			: `install ${command}, or write its full path in ${file}`;
		return error("clients.command", `${where}: the command \`${command}\` is not on PATH`, fix);
	}
	const script = args.find((word) => /^(\/|[A-Za-z]:\\).*\.[cm]?js$/.test(word));
	if (script && !existsSync(script)) {
		return error("clients.command", `${where}: ${script} does not exist`, `correct it in ${file}`);
	}
	return ok("clients.command", `${where}: ${found}`);
}

/**
 * @param {string} where
 * @param {string} text
 */
async function addressCheck(where, text) {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !LOCAL.has(url.hostname) || (await listens(url)))
		return ok("clients.address", `${where}: ${place(url, text)}`);
	const port = url.port === "8321" ? "" : ` --port ${url.port || 80}`;
	return warning("clients.address", `${where}: nobody listens on ${url.host}`, `${calledAs()} http${port}`);
}

/**
 * Without a user, a password and a query, which may be secrets.
 *
 * @param {URL | undefined} url
 * @param {string} text
 */
function place(url, text) {
	return url ? `${url.origin}${url.pathname}` : text.includes("${") ? "a URL with variables" : "a URL";
}

/** @param {URL} url */
function listens({ hostname, port, protocol }) {
	return new Promise((resolve) => {
		const host = hostname.replace(/[[\]]/g, "");
		const socket = connect(Number(port) || (protocol === "https:" ? 443 : 80), host);
		/** @param {boolean} answer */
		const end = (answer) => {
			socket.destroy();
			resolve(answer);
		};
		socket.setTimeout(CONNECT_MS, () => end(false));
		socket.once("connect", () => end(true)).once("error", () => end(false));
	});
}
