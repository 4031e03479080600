import { createRequire } from "node:module";
import path from "node:path";
import { AgentToolsError } from "../../agent-tools-error.js";
import { native } from "../../native.js";
import { print, say, sayAs } from "../report.js";
import { runRuntime } from "../run-runtime.js";
import { didYouMean, suggest } from "../suggest.js";
import { UsageError } from "../usage-error.js";
import { checkFree, DraftFolder } from "./draft-folder.js";
import { foundCalls, questionsText } from "./found-calls.js";
import { kinds } from "./kinds.js";
import { checkedName, checkedPrefix, packageOf } from "./names.js";
import { standInService } from "./stand-in-service.js";
import { json, pluginFiles, templateFiles } from "./templates.js";

/**
 * @typedef {import("../../runtime.js").Runtime} Runtime
 * @typedef {import("../command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./found-calls.js").FoundCalls} FoundCalls
 * @typedef {import("./kinds.js").KindName} KindName
 * @typedef {import("./kinds.js").Plan} Plan
 * @typedef {import("./templates.js").Files} Files
 *
 * @typedef {{name: string, prefix: string, kind: KindName, plan: Plan, templates: Files}} Plugin
 */

const RUNTIME = "@rckflr/agent-tools-runtime";
/** @type {{version: string}} */
const { version: RUNTIME_VERSION } = createRequire(import.meta.url)("../../../package.json");

/**
 * Writes a plugin, and tries it before anybody sees it.
 *
 * @param {CommandOptions} options
 * @param {string} typed
 * @param {...string} source
 */
export async function run(options, typed, ...source) {
	const name = checkedName(typed);
	const kind = checkedKind(options);
	const prefix = checkedPrefix(name, options.prefix);
	const place = path.resolve(options.out ?? ".", packageOf(name));
	checkFree(place);
	const templates = templateFiles(kind);
	const plan = await kinds[kind]({ name, place, source, url: options.url, env: options.env ?? [], templates });
	const plugin = { name, prefix, kind, plan, templates };

	const draft = new DraftFolder(place);
	const { dir, dataDir } = draft;
	const alone = { pluginDirs: [dir], packageRoot: null, config: false, cache: false, audit: { enabled: false } };
	await runRuntime(
		{},
		async (runtime) => {
			const service = plan.service ? await standInService(plan.environment ?? {}, plan.service) : undefined;
			try {
				draft.write(filesOf(plugin, {}));
				await checkWorks(runtime, draft, plan);
				const calls = plan.finds ? await foundCalls(runtime, prefix, service?.requests ?? []) : {};
				const files = filesOf(plugin, calls);
				draft.write(files);
				const { plugins } = await runtime.status();
				// Its child would hold the folder.
				await runtime.close();
				draft.finish();
				await report(options, { plugin, place, files: Object.keys(files).sort(), calls, status: plugins[0] });
			} finally {
				service?.close();
				draft.remove();
			}
		},
		{ open: { ...alone, dataDir } },
	);
}

/**
 * @param {CommandOptions} options
 * @returns {KindName}
 */
function checkedKind({ from, url, env }) {
	const names = /** @type {KindName[]} */ (Object.keys(kinds));
	const all = names.map((name) => `\`${name}\``).join(", ");
	if (from === undefined) throw new UsageError("`plugin new` needs --from KIND", `The kinds are ${all}.`);
	const kind = names.find((name) => name === from);
	if (!kind) {
		const near = suggest(from, names);
		throw new UsageError(`there is no kind \`${from}\``, `${didYouMean(near)}The kinds are ${all}.`);
	}
	if (url !== undefined && kind !== "mcp") {
		throw new UsageError(
			`\`--from ${kind}\` has no --url`,
			kind === "openapi" ? "The document's address stands behind the name." : "--url is for `--from mcp`.",
		);
	}
	if (env && kind !== "mcp" && kind !== "cli") {
		throw new UsageError(`\`--from ${kind}\` has no --env`, "--env is for `--from mcp` and `--from cli`.");
	}
	return kind;
}

/**
 * @param {Plugin} plugin
 * @param {FoundCalls} calls
 * @returns {Files}
 */
function filesOf({ name, prefix, plan, templates }, calls) {
	const { description, words = {}, extension = {}, environment = {}, without = [], files = {}, finds } = plan;
	const chosen = Object.entries(templates).filter(([file]) => !without.includes(file));
	return pluginFiles(Object.fromEntries(chosen), {
		name,
		words: {
			...words,
			NAME: name,
			PREFIX: prefix,
			DESCRIPTION: description,
			YEAR: String(new Date().getFullYear()),
			RUNTIME_VERSION,
			QUESTIONS: questionsText(calls),
		},
		extension: { ...extension, ...(Object.keys(environment).length > 0 && { environment }) },
		files: { ...files, ...(finds && { "test/calls.json": json(calls) }) },
	});
}

/**
 * @param {Runtime} runtime
 * @param {DraftFolder} draft
 * @param {Plan} plan
 */
async function checkWorks(runtime, draft, { ifBroken }) {
	await runtime.reload();
	await runtime.loadAll();
	/** @type {{error: boolean, message: string}[]} */
	const problems = JSON.parse(await native().validate(draft.dir));
	const { plugins, warnings } = await runtime.status();
	const faults = [
		...problems.filter(({ error }) => error).map(({ message }) => message),
		...plugins.flatMap(({ state, reason, brokenSkills = [] }) => [
			...(state === "ready" && !reason ? [] : [reason ?? `it is ${state}`]),
			...brokenSkills,
		]),
		...warnings,
		...(plugins.some(({ tools = 0 }) => tools > 0) ? [] : ["it has no tools"]),
	];
	const [fault] = faults;
	if (fault === undefined) return;
	const message = fault.replaceAll(draft.dir, draft.place);
	throw new AgentToolsError("CONFIG_INVALID", `the plugin would not work, so nothing was written: ${message}`, {
		hint: ifBroken,
	});
}

/**
 * @param {CommandOptions} options
 * @param {object} done
 * @param {Plugin} done.plugin
 * @param {string} done.place
 * @param {string[]} done.files
 * @param {FoundCalls} done.calls
 * @param {import("../../../index.d.ts").PluginStatus} [done.status]
 */
async function report(options, { plugin: { name, prefix, kind, plan }, place, files, calls, status }) {
	const notes = [...(plan.notes ?? []), ...missingCalls(plan, calls)];
	const next = [
		`cd ${quoted(path.relative("", place))}`,
		...(isResolved(place) ? [] : ["npm install"]),
		"node --test",
		"agent-tools list --plugins-dir .",
	];
	if (options.json) {
		const { tools, skills } = status ?? {};
		const all = { name: packageOf(name), prefix, kind, folder: place, files, tools, skills, notes, next };
		await print(`${JSON.stringify(all, null, 2)}\n`);
		return;
	}
	await print(`${place}\n${files.map((file) => `  ${file}\n`).join("")}`);
	for (const note of notes) sayAs("note", note);
	say(["Next:", ...next.map((line) => `  ${line}`)].join("\n"));
}

/**
 * @param {Plan} plan
 * @param {FoundCalls} calls
 */
function missingCalls({ finds }, { read, change }) {
	if (!finds) return [];
	return [
		...(read
			? []
			: [
					"No call that only reads was answered: write one into `read` of test/calls.json, for the test that is skipped.",
				]),
		...(change ? [] : ["No tool was found that asks for consent; the test of that is skipped."]),
	];
}

/**
 * Whether the plugin's test finds the runtime where it stands.
 *
 * @param {string} place
 */
function isResolved(place) {
	try {
		createRequire(path.join(place, "package.json")).resolve(RUNTIME);
		return true;
	} catch {
		return false;
	}
}

/** @param {string} text */
function quoted(text) {
	return /^[\w./\\:@-]+$/.test(text) ? text : `"${text}"`;
}
