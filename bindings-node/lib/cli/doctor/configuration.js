import { createRequire } from "node:module";
import { native } from "../../native.js";
import { calledAs } from "../called-as.js";
import { positionOfKey, readJson } from "../json-file.js";
import { configFiles } from "../places.js";
import { checksOf } from "./check.js";
import { foreignHand } from "./ownership.js";

const { ok, warning, error } = checksOf("Configuration");

const UNSET = /^The environment variable (\w+) is not set/;
const UNKNOWN_KEY = /unknown (?:field|key) [`"]([^`"]+)[`"]/i;
/** What the plugins' own lines say. */
const SET_UP = /^the plugin \S+ needs set-up: /;

/** @typedef {import("./check.js").Check} Check */

/**
 * @param {object} how
 * @param {string} [how.config] the one file that counts
 * @param {boolean} how.hasAddon whether the core can look at them
 */
export async function configurationChecks({ config, hasAddon }) {
	const files = configFiles(config);
	if (files.length === 0) {
		return [ok("config.file", "there is no agent-tools.json; the plugins that are installed are used")];
	}
	return (await Promise.all(files.map((file) => fileChecks(file, hasAddon)))).flat();
}

/**
 * @param {string} file
 * @param {boolean} hasAddon
 * @returns {Promise<Check[]>}
 */
async function fileChecks(file, hasAddon) {
	const { value, text, mistake } = readJson(file);
	const again = `${calledAs()} validate '${file}'`;
	if (mistake) {
		return [error("config.syntax", `${file}: ${mistake}`, `correct it, then: ${again}`)];
	}
	const problems = hasAddon ? await problemsOf(file, text) : unknownKeys(file, value, text);
	const checks = problems.map(({ isError, message }) => {
		const variable = UNSET.exec(message)?.[1];
		if (variable) return warning("config.variable", `${file}: ${variable} is not set`, `export ${variable}=…`);
		const id = UNKNOWN_KEY.test(message) ? "config.key" : "config.entry";
		return (isError ? error : warning)(id, message, `correct it, then: ${again}`);
	});
	const foreign = foreignHand(file);
	if (foreign) checks.push(warning("config.owner", `${file}: ${foreign.why}`, foreign.fix));
	return checks.length > 0 ? checks : [ok("config.file", file)];
}

/**
 * @param {string} file
 * @param {string} text
 */
async function problemsOf(file, text) {
	/** @type {{error: boolean, message: string}[]} */
	const problems = JSON.parse(await native().validate(file));
	return problems
		.filter(({ message }) => !SET_UP.test(message))
		.map(({ error: isError, message }) => ({ isError, message: withPosition(message, text) }));
}

/**
 * The core names the key alone.
 *
 * @param {string} message
 * @param {string} text
 */
function withPosition(message, text) {
	const key = UNKNOWN_KEY.exec(message)?.[1];
	const place = key && !/line \d+/.test(message) ? positionOfKey(text, key) : undefined;
	return place ? `${message.replace(/\.$/, "")} (${place})` : message;
}

/**
 * What can be told without the core.
 *
 * @param {string} file
 * @param {unknown} value
 * @param {string} text
 */
function unknownKeys(file, value, text) {
	const { properties } = createRequire(import.meta.url)("../../../schemas/agent-tools.schema.json");
	const unknown = Object.keys(Object(value)).filter((key) => !Object.hasOwn(properties, key));
	return unknown.map((key) => ({
		isError: true,
		message: `${file}: unknown key \`${key}\` (${positionOfKey(text, key)})`,
	}));
}
