import { calledAs } from "./called-as.js";
import { readConfig, writeConfig } from "./configured/config-text.js";
import { hiddenBy } from "./configured/hidden-by.js";
import { targetOf } from "./configured/target.js";
import { diffOf, painted } from "./edit/diff.js";
import { apply } from "./edit/edit.js";
import { reportImported } from "./import/report-imported.js";
import { fileSource, foundSources, hasServers, namedSource } from "./import/sources.js";
import { choose, someoneIsThere } from "./init/ask.js";
import { mayGoOn, NOT_ASKED } from "./init/outcome.js";
import { print, say, sayAs } from "./report.js";

/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./configured/config-text.js").ConfigText} ConfigText
 * @typedef {import("./import/sources.js").Source} Source
 */

/**
 * @param {CommandOptions} options
 * @param {...string} names
 */
export async function run(options, ...names) {
	const target = targetOf(options);
	const { file, scope = "named" } = target;
	const config = readConfig(file);
	const named = [...new Set(names)].map(namedSource);
	const { from } = options;
	const sources =
		from || named.length > 0 ? [...named, ...(from ? [fileSource(from, file)] : [])] : await found(options);
	if (sources.length === 0) return;
	const text = edited(config, sources);
	const state = text === config.text ? "same" : "not written";
	/** @type {import("./import/report-imported.js").Outcome} */
	const outcome = { file, scope, state, ...(state !== "same" && { diff: diffOf(file, config.was.text, text) }) };
	if (state === "same") say(`already there: ${file}`);
	else if (!options.json) await print(painted(String(outcome.diff)));
	if (state !== "same") {
		if (!(await mayGoOn("Write this?", [outcome], options))) {
			if (options.json) await print(`${JSON.stringify({ ...outcome, clients: sources.map(shown) }, null, 2)}\n`);
			return;
		}
		await writeConfig(target, config, text);
		outcome.state = "written";
		say(`written to ${file}`);
	}
	const hidden = hiddenBy(target);
	if (hidden) sayAs("warning", hidden);
	await reportImported(options, outcome, sources, hidden && file);
}

/**
 * Those that are found here, for the user to choose.
 *
 * @param {CommandOptions} options
 * @returns {Promise<Source[]>}
 */
async function found(options) {
	const all = foundSources();
	const sources = all.filter(hasServers);
	for (const { mistakes } of all) for (const mistake of mistakes) sayAs("warning", mistake);
	if (sources.length === 0) {
		if (options.json) await print("[]\n");
		say("No client here has MCP servers that could be imported.");
		sayAs("hint", `The file of another: ${calledAs()} import --from FILE. A new server: ${calledAs()} add --help`);
		return [];
	}
	if (options.all || options["dry-run"]) return sources;
	if (!options.json && someoneIsThere()) {
		const choices = sources.map(({ item, title, servers }) => ({
			name: item,
			title: `${title}: ${servers.join(", ")}`,
		}));
		const chosen = await choose("Whose servers shall be used? (space chooses, enter goes on)", choices);
		if (chosen.length === 0) say("Nothing was chosen, and nothing was written.");
		return sources.filter(({ item }) => chosen.includes(item));
	}
	if (options.json) await print(`${JSON.stringify(sources.map(shown), null, 2)}\n`);
	else await print(sources.map(({ item, servers }) => `${item}: ${servers.join(", ")}\n`).join(""));
	const command = `${calledAs()} import`;
	sayAs("hint", `To use them: ${command} ${sources[0]?.item} --yes; or all: ${command} --all --yes`);
	process.exitCode = NOT_ASKED;
	return [];
}

/** @param {Source} source */
function shown({ item, files, servers, own, mistakes }) {
	return { client: item, files, servers, own, mistakes };
}

/**
 * A name in `import` for each: what the client changes later counts too.
 *
 * @param {ConfigText} config
 * @param {Source[]} sources
 */
function edited({ file, text, value }, sources) {
	const there = Array.isArray(value.import) ? value.import : [];
	const items = sources.map(({ item }) => item).filter((item) => !there.includes(item));
	return items.reduce((before, item) => {
		/** @type {import("./edit/edit.js").Edit} */
		const edit = { format: "json", path: ["import"], value: item, item: true };
		return apply(file, before, edit).text;
	}, text);
}
