import { AgentToolsError } from "../agent-tools-error.js";
import { check } from "./add/check.js";
import { checkProgram, checkVariables } from "./add/check-command.js";
import { addressEntry, programEntry } from "./add/entry.js";
import { openapiEntry } from "./add/openapi-entry.js";
import { reportAdded, reportWritten } from "./add/report-added.js";
import { calledAs } from "./called-as.js";
import { namedIn, readConfig, writeConfig } from "./configured/config-text.js";
import { hiddenBy } from "./configured/hidden-by.js";
import { addedRecords } from "./configured/record.js";
import { withSecrets } from "./configured/secrets.js";
import { flagOf, targetOf } from "./configured/target.js";
import { diffOf } from "./edit/diff.js";
import { apply } from "./edit/edit.js";
import { untilWritten } from "./edit/file.js";
import { hashOf } from "./edit/record.js";
import { checkNoSecret } from "./looks-secret.js";
import { pathsFromHere } from "./path-from-here.js";
import { isPrefix, nearestPrefix, PREFIX_RULE } from "./plugin/names.js";
import { sayAs } from "./report.js";
import { didYouMean } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./configured/config-text.js").ConfigText} ConfigText
 * @typedef {import("./configured/target.js").Target} Target
 *
 * @typedef {object} Added what is to be in the file
 * @property {"mcpServers" | "openapi"} section
 * @property {Record<string, unknown>} entry
 * @property {string[]} [notes]
 */

/** What says how a service is reached: an entry that takes the place of another keeps the rest, such as `exclude`. */
const REACHES = {
	mcpServers:
		"command args env envFile cwd url httpUrl serverUrl headers auth type transport transportType enabled disabled",
	openapi: "document baseUrl auth login headers query cookies serverVariables enabled disabled",
};

/**
 * @param {CommandOptions} options
 * @param {string} name
 * @param {...string} command
 */
export async function run(options, name, ...command) {
	checkName(name);
	const target = targetOf(options);
	const added = await entryOf(options, name, command, target);
	const { config, text, state, prefix } = await untilWritten(async () => {
		const config = readConfig(target.file);
		const edit = edited(options, config, target, name, added);
		if (edit.state !== "same") await writeConfig(target, config, edit.text);
		return { config, ...edit };
	});
	const diff = diffOf(target.file, config.was.text, text);
	if (state !== "same") {
		try {
			await record(name, config, text, state);
		} catch (error) {
			if (!(error instanceof AgentToolsError)) throw error;
			sayAs("warning", `${error.message}; \`remove\` will take out the entry, and give back nothing else`);
		}
	}
	const { file, scope = "named" } = target;
	const outcome = { name, prefix, section: added.section, file, scope, state, diff, flag: flagOf(target) };
	for (const note of notesOn(target, added, command)) sayAs("note", note);
	await reportWritten(options, outcome);
	if (options["no-check"]) return reportAdded(options, outcome, undefined);
	const hidden = hiddenBy(target, { name, section: added.section });
	if (hidden) sayAs("warning", hidden);
	await check(options, { name, prefix, file, isRead: !hidden }, (checked) => reportAdded(options, outcome, checked));
}

/**
 * An entry that was not ours is not given back by `remove`: it is what stands there that goes.
 *
 * @param {string} name
 * @param {ConfigText} config as it was before
 * @param {string} text
 * @param {"added" | "replaced"} state
 */
async function record(name, { file, was }, text, state) {
	const records = addedRecords();
	const earlier = records.of(name).find((one) => one.file === file);
	if (state === "added") return records.keep(name, { file, before: was.text, after: hashOf(text) });
	if (earlier?.after === hashOf(String(was.text))) return records.keep(name, { ...earlier, after: hashOf(text) });
	records.forget(name, file);
}

/** @param {string} name */
function checkName(name) {
	checkNoSecret(name, "the name");
	if (isPrefix(name)) return;
	const near = nearestPrefix(name);
	const hint = `A name is part of every tool's name: it ${PREFIX_RULE}.`;
	throw new UsageError(`\`${name}\` cannot be a name`, `${didYouMean(near)}${hint}`);
}

/**
 * @param {CommandOptions} options
 * @param {string} name
 * @param {string[]} command
 * @param {Target} target
 * @returns {Promise<Added>}
 */
async function entryOf(options, name, command, { file }) {
	const { url, openapi, env, header, oauth } = options;
	const ways = [
		...(command.length > 0 ? ["a command"] : []),
		...(url ? ["--url"] : []),
		...(openapi ? ["--openapi"] : []),
	];
	if (ways.length !== 1) {
		throw new UsageError(
			ways.length === 0 ? `\`add ${name}\` needs to know what ${name} is` : `${ways.join(" and ")} exclude each other`,
			`${calledAs()} add ${name} -- COMMAND ARGS…, or --url URL, or --openapi FILE_OR_URL`,
		);
	}
	const [way] = ways;
	if (env && way !== "a command")
		throw new UsageError("--env is for a command", "--url has --bearer-env and --header.");
	const forUrl = [header && "--header", options["bearer-env"] && "--bearer-env", oauth && "--oauth"].filter(Boolean);
	if (forUrl.length > 0 && way !== "--url") throw new UsageError(`${forUrl[0]} is for --url`);
	if (url) return { section: "mcpServers", entry: addressEntry(url, options) };
	if (openapi) return { section: "openapi", ...(await openapiEntry(name, openapi, file)) };
	const [program = ""] = command;
	if (/^https?:\/\//i.test(program)) {
		throw new UsageError(`\`${program}\` is no command`, `${calledAs()} add ${name} --url ${program}`);
	}
	checkProgram(program);
	checkVariables(env ?? []);
	return { section: "mcpServers", entry: programEntry(command, options) };
}

/**
 * @param {CommandOptions} options
 * @param {ConfigText} config
 * @param {Target} target
 * @param {string} name
 * @param {Added} added
 * @returns {{text: string, state: "added" | "replaced" | "same", prefix: string}}
 */
function edited({ replace }, config, target, name, { section, entry }) {
	const there = namedIn(config).find((one) => one.name === name);
	const place = `${target.file}: ${there?.section}.${name}`;
	const again = `${calledAs()} remove ${name}${flagOf(target)}`;
	if (there && there.section !== section) {
		throw new AgentToolsError("NAME_TAKEN", `${name} is there already, as another kind of service (${place})`, {
			hint: `Choose another name, or take it out first: ${again}`,
		});
	}
	const others = REACHES[section].split(" ").filter((key) => !(key in entry));
	const edit = { format: /** @type {const} */ ("json"), path: [section, name], value: entry, others };
	const { text } = apply(target.file, config.text, edit);
	const prefix = typeof there?.entry.prefix === "string" ? there.entry.prefix : name;
	if (there && text === config.text) return { text: String(config.was.text), state: "same", prefix };
	if (there && !replace) {
		throw new AgentToolsError("NAME_TAKEN", `${name} is there already, and differs (${place})`, {
			hint: `To replace it: the same with --replace. To take it out: ${again}`,
		});
	}
	return { text: withSecrets(target, text, entry), state: there ? "replaced" : "added", prefix };
}

/**
 * @param {Target} target
 * @param {Added} added
 * @param {string[]} command
 */
function notesOn({ scope }, { notes = [] }, command) {
	if (scope === "project") return notes;
	return [
		...notes,
		...pathsFromHere(command).map(
			(word) =>
				`${word} is a path from here; the server works where the client does. A whole path is found everywhere.`,
		),
	];
}
