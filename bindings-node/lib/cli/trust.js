import { calledAs } from "./called-as.js";
import { checkKnown } from "./known-plugin.js";
import { print, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { askOnTerminal, canAsk } from "./terminal-question.js";
import { UsageError } from "./usage-error.js";
import { wrapped } from "./wrapped.js";

/**
 * @typedef {import("../../index.d.ts").TrustReport} TrustReport
 * @typedef {import("../../index.d.ts").PluginTrust} PluginTrust
 * @typedef {import("../runtime.js").Runtime} Runtime
 */

/**
 * Without a prefix: what waits. With one: what has changed, and whether to accept it.
 *
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} [prefix]
 */
export async function run(options, prefix) {
	if (prefix && options.all) throw new UsageError("a prefix and --all exclude each other");
	if (options.yes && !prefix && !options.all) {
		throw new UsageError("--yes needs a plugin", `Name one, or pass --all: ${calledAs()} trust --all --yes`);
	}
	await runRuntime(options, async (runtime) => {
		if (prefix) checkKnown(prefix, (await runtime.status()).plugins);
		const report = await runtime.trust(prefix);
		const decides = prefix !== undefined || options.all === true;
		if (!options.json) await print(decides ? report.plugins.map(details).join("") : overview(report));
		const accepted = decides ? await acceptAll(runtime, report.plugins, options) : [];
		if (options.json) await print(`${JSON.stringify({ ...report, accepted }, null, 2)}\n`);
	});
}

/**
 * @param {Runtime} runtime
 * @param {PluginTrust[]} plugins
 * @param {{yes?: boolean, json?: boolean}} options
 */
async function acceptAll(runtime, plugins, { yes, json }) {
	const accepted = [];
	for (const plugin of plugins.filter(({ held, problem }) => held.length > 0 || problem)) {
		if (!(yes || (await agrees(plugin, json)))) continue;
		const outcome = await runtime.accept(plugin.prefix, plugin.digest);
		say(`${plugin.prefix}: accepted ${outcome.accepted.join(", ") || "what its tools are now"}`);
		accepted.push(outcome);
	}
	return accepted;
}

/**
 * Only a person on a terminal can be asked.
 *
 * @param {PluginTrust} plugin
 * @param {boolean} [json]
 */
async function agrees({ prefix }, json) {
	if (json || !canAsk()) {
		say(`Nothing was accepted. To accept it: ${calledAs()} trust ${prefix} --yes`);
		return false;
	}
	const answer = (await askOnTerminal(`Accept this of ${prefix}? [y/N] `)) ?? "";
	return /^y(es)?$/i.test(answer);
}

/** @param {TrustReport} report */
function overview({ plugins, imitations }) {
	const lines = plugins.flatMap(({ prefix, held, findings, problem, failed }) => [
		...(failed ? [`${prefix}: could not be looked at: ${failed}`] : []),
		...(problem ? [`${prefix}: ${problem}`] : []),
		...held.map(({ reason }) => `${prefix}: held back: ${reason}`),
		...findings.map((finding) => `${prefix}: found: ${found(finding)}`),
	]);
	lines.push(...imitations);
	const waiting = plugins.filter(({ held, problem }) => held.length > 0 || problem).map(({ prefix }) => prefix);
	if (waiting.length > 0) lines.push("", `To look at it and accept it: ${calledAs()} trust ${waiting[0]}`);
	return lines.length > 0 ? `${text(lines)}\n` : "Nothing is held back, and nothing suspicious was found.\n";
}

/** @param {PluginTrust} plugin */
function details({ prefix, held, findings, problem, failed }) {
	const lines = [];
	if (failed) lines.push(`${prefix}: could not be looked at: ${failed}`);
	if (problem) lines.push(`${prefix}: ${problem}`);
	for (const { reason, findings: own, diff } of held) {
		lines.push(`${prefix}: ${reason}`);
		for (const { part, lines: changed } of diff) {
			lines.push(`  ${part}`, ...changed.map((line) => wrapped(line, { indent: 4, hang: 2 })));
		}
		lines.push(...own.map((finding) => wrapped(`found: ${found(finding)}`, { indent: 2, hang: 2 })), "");
	}
	const waiting = new Set(held.map(({ tool }) => tool));
	const others = findings.filter(({ tool }) => !waiting.has(tool));
	lines.push(...others.map((finding) => `${prefix}: found: ${found(finding)}`));
	if (held.length === 0 && !failed) lines.push(`${prefix}: nothing is held back.`);
	return `${text(lines)}\n`;
}

/** @param {string[]} lines */
function text(lines) {
	return wrapped(lines.join("\n"), { hang: 2 });
}

/** @type {Record<import("../../index.d.ts").TrustFinding["kind"], string>} */
const KINDS = {
	hiddenCharacters: "hidden characters",
	lookAlike: "letters that look like others",
	instructions: "instructions to the model",
	otherTool: "talk of another tool",
	secret: "text shaped like a credential",
	link: "a link that would carry data away",
};

/** @param {import("../../index.d.ts").TrustFinding} finding */
function found({ tool, kind, place, text }) {
	return `${tool}, ${place}: ${KINDS[kind]}: ${JSON.stringify(text)}`;
}
