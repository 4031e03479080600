// Where servers can be imported from.

import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { AgentToolsError } from "../../agent-tools-error.js";
import { calledAs } from "../called-as.js";
import { readEntries } from "../client-servers/entries.js";
import { clientFiles } from "../client-servers/files.js";
import { isOurs } from "../client-servers/ours.js";
import { placeFrom } from "../configured/config-text.js";
import { didYouMean, suggest } from "../suggest.js";
import { UsageError } from "../usage-error.js";

/** The clients that the core reads by name. */
export const NAMES = [
	"claude-desktop",
	"claude-code",
	"vscode",
	"cursor",
	"pi",
	"codex",
	"droid",
	"gemini",
	"windsurf",
];

/**
 * @typedef {object} Source
 * @property {string} item as it stands in `import`
 * @property {string} title
 * @property {string[]} files
 * @property {string[]} servers
 * @property {string[]} own the names of those that are this runtime itself
 * @property {string[]} mistakes of files that cannot be read
 */

/** The clients that have a file here. @returns {Source[]} */
export function foundSources() {
	const files = clientFiles();
	return NAMES.flatMap((item) => {
		const of = files.filter(({ client }) => client.name === item);
		const [first] = of;
		return first ? [sourceOf(item, first.client.title, of)] : [];
	});
}

/** Whether something stands there that can be used. @param {Source} source */
export function hasServers({ servers }) {
	return servers.length > 0;
}

/**
 * @param {string} item
 * @returns {Source}
 */
export function namedSource(item) {
	if (!NAMES.includes(item)) {
		const near = suggest(item, NAMES);
		throw new UsageError(
			`there is no client \`${item}\` that import knows`,
			`${didYouMean(near)}It knows ${NAMES.join(", ")}. The file of another: --from FILE`,
		);
	}
	const found = foundSources().find((source) => source.item === item);
	if (found) return found;
	throw new AgentToolsError("NO_CLIENT", `no file of ${item} is here`, {
		hint: `docs/configuration.md says where it is looked for. Name another: ${calledAs()} import --from FILE`,
	});
}

/**
 * @param {string} from
 * @param {string} config
 * @returns {Source}
 */
export function fileSource(from, config) {
	if (!existsSync(from) || !statSync(from).isFile()) {
		throw new UsageError(
			`${from} ${existsSync(from) ? "is no file" : "does not exist"}`,
			"--from takes the file in which a client keeps its MCP servers.",
		);
	}
	const source = sourceOf(placeFrom(config, from), from, [{ file: path.resolve(from) }]);
	const [mistake] = source.mistakes;
	if (mistake) {
		throw new AgentToolsError("FILE_BROKEN", mistake, {
			hint: "Nothing was written. Correct the file, and run this again.",
		});
	}
	if (!hasServers(source) && source.own.length === 0) {
		throw new AgentToolsError("NO_SERVERS", `${from} names no MCP server`, {
			hint: "Nothing was written. --from takes the file in which a client keeps its MCP servers.",
		});
	}
	return source;
}

/**
 * @param {string} item
 * @param {string} title
 * @param {{file: string}[]} files
 * @returns {Source}
 */
function sourceOf(item, title, files) {
	// The core reads comments in every one of them.
	const read = files.map(({ file }) => ({ file, ...readEntries({ file }) }));
	const entries = read.flatMap((one) => one.entries);
	const own = new Set(entries.filter(isOurs).map(({ name }) => name));
	return {
		item,
		title,
		files: files.map(({ file }) => file),
		servers: [...new Set(entries.map(({ name }) => name))].filter((name) => !own.has(name)),
		own: [...own],
		mistakes: read.flatMap(({ file, mistake }) => (mistake ? [`${file}: ${mistake}`] : [])),
	};
}
