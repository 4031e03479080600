import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { native } from "../../native.js";
import { calledAs } from "../called-as.js";
import { readJson } from "../json-file.js";
import { configFiles, folder } from "../places.js";
import { checksOf } from "./check.js";
import { onPath } from "./on-path.js";
import { foreignHand, readableByOthers } from "./ownership.js";

const { ok, warning, error } = checksOf("Credentials");

/**
 * @typedef {import("./check.js").Check} Check
 * @typedef {import("../../../index.d.ts").PluginStatus} PluginStatus
 *
 * @typedef {{server: string, expiresAt?: number, renewable: boolean}} Login
 */

/**
 * The secrets that configuration files name. Only whether they are there is asked, and no value is read.
 *
 * @param {string} [config]
 * @returns {Check[]}
 */
export function secretChecks(config) {
	return configFiles(config).flatMap((file) => {
		const secrets = Object.entries(Object(readJson(file).value?.secrets));
		return secrets.map(([name, source]) => secretCheck(file, name, Object(source)));
	});
}

/**
 * @param {string} file
 * @param {string} name
 * @param {any} source
 * @returns {Check}
 */
function secretCheck(file, name, { keyring, file: kept, command }) {
	const id = "credentials.secret";
	const what = `the secret ${name}`;
	if (typeof keyring === "string") {
		const there = isKept(keyring);
		if (there === undefined) return ok(id, `${what} is in the system's keyring, which does not list its names`);
		if (there) return ok(id, `${what} is kept`);
		return error(
			id,
			`${what} is not kept: there is none of the name ${keyring}`,
			`${calledAs()} secret set ${keyring}`,
		);
	}
	if (typeof kept === "string") return fileCheck(what, path.resolve(path.dirname(file), fromHome(kept)));
	const [program] = [command].flat();
	if (typeof program !== "string") return error(id, `${what} says not where it is`, `${calledAs()} validate '${file}'`);
	if (onPath(program, { cwd: path.dirname(file) })) return ok(id, `${what} is printed by ${program}`);
	return error(
		id,
		`${what}: its command \`${program}\` is not on PATH`,
		`install ${program}, or correct it in ${file}`,
	);
}

/**
 * @param {string} what
 * @param {string} place
 */
function fileCheck(what, place) {
	const id = "credentials.secret";
	try {
		const hand = foreignHand(place) ?? readableByOthers(place);
		return hand ? error(id, `${what}: ${place}: ${hand.why}`, hand.fix) : ok(id, `${what} is in ${place}`);
	} catch {
		const fix = `(umask 077; cat > '${place}'), and type the secret`;
		return error(id, `${what}: its file ${place} cannot be read`, fix);
	}
}

/** @param {string} name @returns {boolean | undefined} undefined where the system does not tell */
function isKept(name) {
	/** @type {{name: string}[]} */
	const kept = JSON.parse(native().secretList());
	if (kept.some((one) => one.name === name)) return true;
	return process.platform === "linux" || process.env.AGENT_TOOLS_DATA_DIR ? false : undefined;
}

/** @param {string} place */
function fromHome(place) {
	return place.startsWith("~/") ? path.join(homedir(), place.slice(2)) : place;
}

/**
 * The logins of plugins that know one.
 *
 * @param {PluginStatus[]} plugins
 * @param {string} [config]
 * @returns {Check[]}
 */
export function loginChecks(plugins, config) {
	const logins = keptLogins();
	return plugins.flatMap((plugin) => {
		const { prefix, auth } = plugin;
		if (auth === "ok") return [ok("credentials.login", `${prefix} is logged in`)];
		if (auth !== "needed") return [];
		const url = urlOf(plugin, config);
		const own = logins.find(({ server }) => url && sameServer(server, url));
		const fix = `${calledAs()} login ${prefix}`;
		if (!own) return [warning("credentials.login", `nobody is logged in to the service of ${prefix}`, fix)];
		const { expiresAt } = own;
		const since = expiresAt && expiresAt * 1000 < Date.now() ? ` on ${new Date(expiresAt * 1000).toISOString()}` : "";
		const what = since ? `has expired${since}` : "is no longer taken";
		return [error("credentials.login", `the login of ${prefix} ${what}`, fix)];
	});
}

/** Where they are kept in files. The tokens stay there. @returns {Login[]} */
function keptLogins() {
	const dir = path.join(folder("data"), "logins");
	/** @type {string[]} */
	let names = [];
	try {
		names = readdirSync(dir);
	} catch {
		// Nobody has logged in yet.
	}
	return names
		.filter((name) => name.endsWith(".json"))
		.map((name) => readJson(path.join(dir, name)).value)
		.filter((record) => typeof record?.server === "string" && record.tokens)
		.map(({ server, tokens }) => ({ server, expiresAt: tokens.expiresAt, renewable: Boolean(tokens.refresh) }));
}

/**
 * The address of a plugin's server: of its manifest, or of the entry in a configuration file.
 *
 * @param {PluginStatus} plugin
 * @param {string} [config]
 * @returns {string | undefined}
 */
function urlOf({ prefix, name, dir }, config) {
	const manifest = Object(readJson(path.join(dir, "plugin.json")).value);
	const own = (manifest.extensions?.["dev.agent-tools-runtime"] ?? manifest).mcp?.url;
	if (typeof own === "string") return own;
	for (const file of configFiles(config)) {
		const entries = Object(readJson(file).value?.mcpServers);
		const url = (entries[name] ?? entries[prefix])?.url;
		if (typeof url === "string") return url;
	}
	return undefined;
}

/** @param {string} one @param {string} other */
function sameServer(one, other) {
	if (!URL.canParse(one) || !URL.canParse(other)) return false;
	const [a, b] = [new URL(one), new URL(other)];
	return a.origin === b.origin && a.pathname === b.pathname;
}
