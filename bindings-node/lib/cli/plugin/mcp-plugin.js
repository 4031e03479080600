import path from "node:path";
import { addressHoldsSecret, secretAmong } from "../looks-secret.js";
import { pathsFromHere } from "../path-from-here.js";
import { UsageError } from "../usage-error.js";
import { credentialsText, neededVariables } from "./needed-variables.js";

/** @type {import("./kinds.js").Kind} */
export function mcpPlugin({ name, place, source, url, env }) {
	const [command] = source;
	if (command === undefined && url === undefined) {
		throw new UsageError(
			"`--from mcp` needs the server",
			`Give its command behind \`--\`, or its address: agent-tools plugin new ${name} --from mcp -- COMMAND ARGS… or --url URL`,
		);
	}
	if (command !== undefined && url !== undefined) {
		throw new UsageError(`\`--from mcp\` takes a command or --url, but got both`, `Leave out --url or \`${command}\`.`);
	}
	if (secretAmong(source)) throw secret("the command");
	const environment = neededVariables(env, url === undefined ? "a variable of the server" : "the token of the server");
	const server = url === undefined ? program(source, place) : address(url, env);
	return {
		description: `The tools of the MCP server ${url === undefined ? shownServer(source) : new URL(url).host}`,
		words: { CREDENTIALS: credentialsText(environment) },
		environment,
		extension: { mcp: server.mcp },
		finds: true,
		notes: ["Say in `description` of plugin.json what the service is: a model chooses by it.", ...server.notes],
		ifBroken:
			url === undefined
				? "Correct the command behind `--`; a variable that the server needs is named with --env NAME."
				: "Correct --url; a server that asks for a token gets that of the variable in --env NAME.",
	};
}

/**
 * What is started, without options: the value of one may be a secret.
 *
 * @param {string[]} words
 */
function shownServer([command = "", ...args]) {
	const what = args.find((word, i) => !word.startsWith("-") && !args[i - 1]?.startsWith("--"));
	return [command, ...(what ? [what] : [])].join(" ");
}

/**
 * The server is started in the plugin's folder; what was typed is meant from here.
 *
 * @param {string[]} words
 * @param {string} place
 */
function program(words, place) {
	const outside = pathsFromHere(words);
	const fromThere = (/** @type {string} */ word) => path.relative(place, path.resolve(word)).split(path.sep).join("/");
	const [command, ...args] = words.map((word) => (outside.includes(word) ? fromThere(word) : word));
	const notes = outside.map(
		(word) => `${word} is not in the plugin: move it there before you publish, or name a package.`,
	);
	return { mcp: { command, ...(args.length > 0 && { args }) }, notes };
}

/**
 * @param {string} url
 * @param {string[]} env
 */
function address(url, env) {
	if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
		throw new UsageError(`\`${url}\` is no address of a server`, "It begins with https:// or http://.");
	}
	if (addressHoldsSecret(url)) throw secret("the address");
	const [token, extra] = env;
	if (extra !== undefined)
		throw new UsageError("--url takes one --env, for the token", "Write others into plugin.json.");
	return { mcp: { url, ...(token && { headers: { Authorization: `Bearer \${${token}}` } }) }, notes: [] };
}

/** @param {string} where */
function secret(where) {
	return new UsageError(
		`${where} holds what looks like a secret, which is written into no file`,
		`Keep it in a variable, name that with --env NAME, and write '\${NAME}' in its place.`,
	);
}
