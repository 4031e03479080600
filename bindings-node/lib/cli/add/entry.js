// What stands behind a name of `mcpServers`.

import { calledAs } from "../called-as.js";
import { addressHoldsSecret, checkNoSecret, looksSecret, secretAmong } from "../looks-secret.js";
import { UsageError } from "../usage-error.js";
import { checkVariableName, isVariableName } from "../variable-name.js";

/**
 * @typedef {import("../command-line.js").CommandOptions} CommandOptions
 * @typedef {Record<string, unknown>} Entry
 */

const HEADER = /^[!#$%&'*+.^_`|~\w-]+$/;
const AUTHORIZATION = "authorization";

/**
 * @param {string[]} command
 * @param {CommandOptions} options
 * @returns {Entry}
 */
export function programEntry([command = "", ...args], { env = [] }) {
	const found = secretAmong([command, ...args]);
	if (found) {
		const what = found.option ? `what \`${found.option}\` is given` : "a word of the command";
		throw secret(what, `write '\${NAME}' in its place, which the runtime replaces`);
	}
	const variables = Object.fromEntries(env.map(variable));
	return { command, ...(args.length > 0 && { args }), ...(env.length > 0 && { env: variables }) };
}

/**
 * @param {string} url
 * @param {CommandOptions} options
 * @returns {Entry}
 */
export function addressEntry(url, { header = [], "bearer-env": bearer, oauth }) {
	checkAddress(url);
	const headers = Object.fromEntries(header.map(headerOf));
	const authorization = Object.keys(headers).find((name) => name.toLowerCase() === AUTHORIZATION);
	if (bearer !== undefined) {
		checkVariableName(bearer, "--bearer-env", "ISSUES_TOKEN");
		if (authorization) throw new UsageError(`--bearer-env and the header ${authorization} exclude each other`);
		headers.Authorization = `Bearer \${${bearer}}`;
	}
	if (oauth && (bearer !== undefined || authorization)) {
		throw new UsageError("--oauth takes no other credentials", "The login gives the token: leave out the others.");
	}
	return {
		url,
		...(Object.keys(headers).length > 0 && { headers }),
		...(oauth && { auth: { oauth: {} } }),
	};
}

/**
 * An address that may stand in a file.
 *
 * @param {string} url
 */
export function checkAddress(url) {
	// A placeholder may stand anywhere in it.
	const filled = url.replaceAll(/\$\{[^}]*\}/g, "x");
	const known = URL.canParse(filled) ? new URL(filled) : undefined;
	const variable = url.startsWith("${");
	if (!variable && !/^https?:$/.test(known?.protocol ?? "")) {
		throw new UsageError(`\`${url}\` is no address`, "It begins with https:// or http://.");
	}
	if (addressHoldsSecret(url)) {
		throw secret("a part of the address", `write '\${NAME}' in its place, or send it in a header: --bearer-env NAME`);
	}
}

/**
 * @param {string} typed `NAME=VALUE`, or the name alone of a variable that is passed on
 * @returns {[string, string]}
 */
function variable(typed) {
	const at = typed.indexOf("=");
	const name = at < 0 ? typed : typed.slice(0, at);
	checkNoSecret(name, "what `--env` is given");
	if (!isVariableName(name)) {
		throw new UsageError(
			`\`${name}\` is no name of a variable`,
			"--env NAME=VALUE, or --env NAME for the value that it has.",
		);
	}
	if (at < 0) return [name, `\${${name}}`];
	const value = typed.slice(at + 1);
	if (looksSecret(name, value)) throw secret(`the value of ${name}`, `pass the variable's name alone: --env ${name}`);
	return [name, value];
}

/** @param {string} typed @returns {[string, string]} */
function headerOf(typed) {
	const at = typed.indexOf(":");
	const [name, value] = [typed.slice(0, at).trim(), typed.slice(at + 1).trim()];
	if (at < 0 || !HEADER.test(name) || value === "" || /[\r\n\0]/.test(value)) {
		throw new UsageError("--header takes a name and a value", `Such as: --header 'X-Api-Key: \${ISSUES_KEY}'`);
	}
	if (looksSecret(name, value)) throw secret(`the value of ${name}`, `name the variable: --header '${name}: \${NAME}'`);
	return [name, value];
}

/**
 * @param {string} what
 * @param {string} instead
 */
function secret(what, instead) {
	return new UsageError(
		`${what} looks like a secret, which \`add\` writes into no file`,
		`Keep it in a variable, and ${instead}. Or keep it with \`${calledAs()} secret set NAME\`, and write '\${secret:NAME}'. ` +
			"Should it be none, write it into the file yourself.",
	);
}
