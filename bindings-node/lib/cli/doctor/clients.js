import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { native } from "../../native.js";
import { checksOf } from "./check.js";
import { readEntries } from "./client-entries.js";
import { clientFiles } from "./client-files.js";
import { onPath } from "./on-path.js";

const { ok, warning, error } = checksOf("Clients");

const OURS = /agent-tools(-runtime)?(\.js|\.cmd|\.exe)?$|@rckflr\/agent-tools-runtime/;
/** Pi's, by the name that npm has, or as the folder of a clone. */
const EXTENSION = /agent-tools-runtime-pi-extension(@|$)|[/\\]integrations[/\\]pi-extension$/;
const LOCAL = new Set(["127.0.0.1", "localhost", "[::1]"]);
const CONNECT_MS = 2000;
const PLACE = /line \d+, column \d+/;

/**
 * @typedef {import("./check.js").Check} Check
 * @typedef {import("./client-files.js").ClientFile} ClientFile
 * @typedef {import("./client-entries.js").Entry} Entry
 */

/** @param {boolean} hasAddon whether the core can read what only it reads */
export async function clientChecks(hasAddon) {
	const checks = await Promise.all(clientFiles().map((of) => fileChecks(of, hasAddon)));
	return checks.length > 0 ? checks.flat() : [ok("clients.file", "no other client's configuration was found")];
}

/**
 * @param {ClientFile} of
 * @param {boolean} hasAddon
 * @returns {Promise<Check[]>}
 */
async function fileChecks(of, hasAddon) {
	const { client, file } = of;
	const { entries, mistake: own } = readEntries(of);
	const mistake = own ?? (file.endsWith(".toml") && hasAddon ? await mistakeIn(file) : undefined);
	if (mistake) {
		return [
			error("clients.syntax", `${client}: ${file}: ${mistake}`, `correct that line: ${client} reads nothing of it`),
		];
	}
	const ours = entries.filter(isOurs);
	if (ours.length === 0) return [ok("clients.entry", `${client}: ${file} does not name agent-tools`)];
	return Promise.all(ours.map((entry) => entryCheck(of, entry)));
}

/** @param {Entry} entry */
function isOurs({ name, command, args, url, extension }) {
	if (extension) return EXTENSION.test(extension);
	if (url) return /^agent-?tools/i.test(name) && /\/mcp([/?#]|$)/.test(url);
	return command !== undefined && [command, ...args].some((word) => OURS.test(word.replace(/@[\w.^~-]+$/, "")));
}

/**
 * @param {ClientFile} of
 * @param {Entry} entry
 * @returns {Promise<Check>}
 */
async function entryCheck({ client, file }, { name, command, args, url, PATH, extension }) {
	const where = `${client}: ${file}: ${name}`;
	if (extension) return ok("clients.extension", where);
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
	return warning("clients.address", `${where}: nobody listens on ${url.host}`, `agent-tools http${port}`);
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

/**
 * The core reads files of other clients by `import`.
 *
 * @param {string} file
 * @returns {Promise<string | undefined>}
 */
async function mistakeIn(file) {
	const dir = mkdtempSync(path.join(tmpdir(), "agent-tools-doctor-"));
	try {
		const importing = path.join(dir, "agent-tools.json");
		writeFileSync(importing, JSON.stringify({ import: [file] }));
		/** @type {{message: string}[]} */
		const problems = JSON.parse(await native().validate(importing));
		const found = problems.find(({ message }) => message.includes(file) && PLACE.test(message));
		return found && placeIn(found.message);
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

/**
 * Without the line itself, which may hold a secret.
 *
 * @param {string} message as TOML's parser has it: the place, the line, a mark below it, and what is wrong
 */
function placeIn(message) {
	return `${PLACE.exec(message)?.[0]}: ${message
		.trim()
		.split(/\^+\s*|\n/)
		.at(-1)}`;
}
