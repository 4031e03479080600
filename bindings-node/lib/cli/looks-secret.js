// Whether a value that somebody types is a secret: as runtime/src/secrets/named.rs tells them from ordinary text.

import { native } from "../native.js";
import { UsageError } from "./usage-error.js";

/** Words of names that hold a secret. `tokens` is none: it is a count. */
const WORDS = new Set(
	(
		"apikey auth authorization authtoken accesstoken bearer clientsecret cookie credential credentials dsn jwt key pass " +
		"passphrase passwd password pat privatekey pwd secret secretkey session sessionid sig signature token"
	).split(" "),
);
/** `${NAME}`, `${NAME:-default}`: the default stands in the file. */
const REFERENCE = /\$\{[^}:]*(?::(?!-)[^}]*)?(?::-([^}]*))?\}/g;
const SCHEME = /^(bearer|basic|token)(\s+|$)/i;
const RUN_LENGTH = 16;
/** Stands where a secret is left out, as the addon writes it. */
export const MASK = "<redacted>";

/**
 * @param {string} name of the variable, header or option; empty where there is none
 * @param {string} value
 */
export function looksSecret(name, value) {
	const written = value.replace(REFERENCE, "$1").trim();
	const bare = written.replace(SCHEME, "");
	if (bare === "") return false;
	if (hasShapeOfToken(written)) return true;
	if (!isAddress(bare) && isDistinct(bare) && (saysSecret(name) || isRandom(bare))) return true;
	return partsOf(written).some(([part, inner]) => saysSecret(part) && isDistinct(inner));
}

/**
 * Whether a value holds nothing by itself: what it is stands elsewhere, or was left out.
 *
 * @param {string} value
 */
export function isReference(value) {
	const written = value.replace(REFERENCE, "$1").replaceAll(MASK, "").trim();
	return written.replace(SCHEME, "") === "";
}

/**
 * The first of a command's words that is one, behind the option that says so or by itself.
 *
 * @param {string[]} words
 * @returns {{word: string, option?: string} | undefined}
 */
export function secretAmong(words) {
	let option = "";
	for (const word of words) {
		const [, name, value] = /^-+([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
		if (name === undefined ? looksSecret(option, word) : value !== undefined && looksSecret(name, value)) {
			const behind = name ?? option;
			return { word, ...(behind && { option: behind }) };
		}
		// What follows `--api-key=x` is no value of it.
		option = value === undefined ? (name ?? "") : "";
	}
	return undefined;
}

/** @param {string} url */
export function addressHoldsSecret(url) {
	return (URL.canParse(url) && new URL(url).username !== "") || looksSecret("", url);
}

/**
 * Refuses what is typed in place of a name, and would stand in a file or a message.
 *
 * @param {string} typed
 * @param {string} what
 */
export function checkNoSecret(typed, what) {
	if (!looksSecret("", typed)) return;
	throw new UsageError(
		`${what} looks like a secret, where a name is expected`,
		"Keep the secret in a variable, and give the variable's name, without `$`.",
	);
}

/** @param {string} name */
export function saysSecret(name) {
	const words = name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").split(/[^\p{L}\p{N}]+/u);
	return words.some((word) => WORDS.has(word.toLowerCase()));
}

/** @param {string} text */
function hasShapeOfToken(text) {
	return native().scrub(text) !== text;
}

/** What stands in a value under a name of its own: in a query, a connection string. @param {string} value */
function partsOf(value) {
	return value.split(/[ ;&?,]/).flatMap((pair) => {
		const at = pair.indexOf("=");
		return at < 0 ? [] : [/** @type {[string, string]} */ ([pair.slice(0, at), pair.slice(at + 1)])];
	});
}

/** @param {string} value */
function isAddress(value) {
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value);
}

/** Whether it is unlike ordinary text. @param {string} value */
function isDistinct(value) {
	const isShort = value.length < 8 && /^([A-Za-z]*|\d*)$/.test(value);
	const isPath = (/^[/~.]/.test(value) && value.split("/").length > 2) || /^.:\\/.test(value);
	return !isShort && !isPath;
}

/** Whether letters and digits are mixed in it as no name or number has them. @param {string} value */
function isRandom(value) {
	return value.split(/[^A-Za-z0-9]/).some((run) => {
		if (run.length < RUN_LENGTH) return false;
		const changes = run.match(/(?<=\d)(?=\D)|(?<=\D)(?=\d)/g)?.length ?? 0;
		return changes >= 4 && new Set(run).size >= 8;
	});
}
